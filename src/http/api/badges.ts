/** `badges`: the signed URLs of the project's badges by tag. */
import { Elysia } from 'elysia'
import { listBadges } from '../../services/badges.ts'
import { type ApiDeps, door, frame, type Resource } from './door.ts'

const LIST = { path: '/badges', methods: ['GET'] } as const satisfies Resource

export function badges(deps: ApiDeps) {
  const list = new Elysia()
    .use(door(deps, LIST, 'read'))
    .get(LIST.path, async ({ access }) => ({ badges: await listBadges(deps, access.project) }))
  return new Elysia().use(list).use(frame(LIST))
}
