/** Deliveries of several instances as received: a pure function for each promise. */
import type { DeliveryFound, Snapshot } from '../../support/kills/snapshot.ts'
import type { Arrival } from '../../support/receivers.ts'

/** deliveries in order of arrival, by channel id */
export type TimedArrivals = ReadonlyMap<string, readonly Arrival[]>

/**
 * Shortest time until a delivery is repeated. It belongs to one instance for ten seconds, and nobody repeats it before. The rest is a
 * margin for an instance that was slow between its claim and its request.
 */
const SOONEST_REPEAT_MS = 6_000

/** Lists repeats that came too early. A delivery is repeated only when its instance is gone. */
export function hastyRepeats(arrivals: TimedArrivals): string[] {
  const latest = new Map<string, number>()
  return [...arrivals.values()].flat().flatMap(({ id, at }) => {
    const pause = at - (latest.get(id) ?? Number.NEGATIVE_INFINITY)
    latest.set(id, at)
    return pause < SOONEST_REPEAT_MS ? [`the delivery ${id} came again after ${pause.toFixed(0)} ms`] : []
  })
}

/** Lists flips that a channel received out of order. It gets the flips of a check in their order. */
export function wrongSequence(arrivals: TimedArrivals, { deliveries }: Pick<Snapshot, 'deliveries'>): string[] {
  const known = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  return [...arrivals.values()].flatMap((ofChannel) => {
    const latest = new Map<string, DeliveryFound>()
    return ofChannel.flatMap(({ id }) => {
      const delivery = known.get(id)
      if (!delivery) return []
      const before = latest.get(delivery.checkId)
      latest.set(delivery.checkId, delivery)
      if (!before || before.eventN <= delivery.eventN) return []
      return [`flip ${delivery.eventN} of ${delivery.checkId} was told after flip ${before.eventN}`]
    })
  })
}

export function countRepeats(arrivals: TimedArrivals): number {
  const ids = [...arrivals.values()].map((ofChannel) => ofChannel.map(({ id }) => id))
  return ids.reduce((sum, ofChannel) => sum + ofChannel.length - new Set(ofChannel).size, 0)
}
