/** Deletes a channel together with its deliveries, which may be many. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'

/** Number of deliveries to delete per step, each with its attempts. */
const DELIVERIES_AT_ONCE = 20

/**
 * Deletes the channel with its assignments and its deliveries. Finished deliveries are deleted first, a batch at a time. If this is
 * interrupted, the channel still exists and still gets alerts.
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
