/** `badges`: the signed URLs of the project's badges by tag. */
import { Elysia } from 'elysia'
import { listBadges } from '../../services/badges.ts'
import { enclosed, JSON_TYPE, membersOf } from '../json-list.ts'
import { longAnswer } from '../long-answer.ts'
import { type ApiDeps, door, frame, type Resource } from './door.ts'

const LIST = { path: '/badges', methods: ['GET'] } as const satisfies Resource
const ENCLOSING = { open: '{"badges":{', close: '}}' }

export function badges(deps: ApiDeps) {
  const list = new Elysia().use(door(deps, LIST, 'read')).get(LIST.path, ({ access: { project } }) => {
    const members = membersOf(listBadges(deps, project), Object.fromEntries)
    return longAnswer(deps, project.id, enclosed(members, ENCLOSING), JSON_TYPE)
  })
  return new Elysia().use(list).use(frame(LIST))
}
