/** `channels`: lists a project's integrations. */
import { listChannels } from '../../services/channels/channels.ts'
import { type ApiDeps, door, type Resource } from './door/door.ts'

const LIST = { path: '/channels', methods: { GET: 'write' } } as const satisfies Resource

export function channels(deps: ApiDeps) {
  return door(deps, LIST).get(LIST.path, async ({ actor }) => {
    const found = await listChannels(deps, actor)
    return { channels: found.map(({ id, name, kind }) => ({ id, name, kind })) }
  })
}
