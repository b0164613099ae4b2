/** Deletes a channel and its deliveries. There may be a lot of deliveries. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'

/** Number of deliveries to delete per step. A delivery's attempts are deleted along with it. */
const DELIVERIES_AT_ONCE = 20

/**
 * Deletes the channel, its assignments and its deliveries. Finished deliveries are deleted first, in batches. If the deletion is
 * interrupted, the channel still exists and keeps receiving alerts.
 */
export async function deleteChannel(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'eventLoop'>,
  actor: Actor,
  channel: Channel,
): Promise<void> {
  requireRight(actor, 'write', channel)
  await deleteEndedDeliveries(deps, channel)
  await deps.store.by(authorOf(deps, actor.by)).channels.delete(channel.id)
}

export async function deleteEndedDeliveries(
  { store, eventLoop }: Pick<Deps, 'store' | 'eventLoop'>,
  { id }: Pick<Channel, 'id'>,
): Promise<void> {
  let deleted = 0
  do {
    deleted = await eventLoop.step(() => store.channels.deleteEndedDeliveries(id, DELIVERIES_AT_ONCE))
  } while (deleted === DELIVERIES_AT_ONCE)
}
