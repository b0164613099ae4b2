/** `channels`: the integrations of the project. */
import { Elysia } from 'elysia'
import { listChannels } from '../../services/channels.ts'
import { type ApiDeps, door, frame, type Resource } from './door.ts'

const LIST = { path: '/channels', methods: ['GET'] } as const satisfies Resource

export function channels(deps: ApiDeps) {
  const list = new Elysia().use(door(deps, LIST, 'write')).get(LIST.path, async ({ access }) => {
    const found = await listChannels(deps, access.project)
    return { channels: found.map(({ id, name, kind }) => ({ id, name, kind })) }
  })
  return new Elysia().use(list).use(frame(LIST))
}
