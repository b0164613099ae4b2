/** Loads the names of a project's integrations for the rows in the list of checks. */
import type { Actor } from '../../../../domain/actor.ts'
import { listChannels } from '../../../../services/channels/channels.ts'
import type { PageDeps } from '../../page.ts'
import { channelKind } from '../../parts/channels.ts'
import type { ChannelNames } from './check-row.ts'

export async function readChannelNames(deps: PageDeps, actor: Actor): Promise<ChannelNames> {
  const channels = await listChannels(deps, actor)
  return new Map(
    channels.map(({ id, name, kind }, place) => [id, { name: name === '' ? channelKind(kind) : name, place }]),
  )
}
