/** Limits the number of concurrent deliveries to one per channel and a few per host, and decides which channel is next. */

/** A channel, and the host that its deliveries are sent to. */
export interface Recipient {
  readonly channelId: string
  readonly host: string
}

/** Maximum number of concurrent deliveries. */
export const CONCURRENCY_LIMIT = { total: 128, perHost: 16 } as const

/**
 * Chooses the channels to send to next. Each channel has at most one delivery under way, so its deliveries are sent in order. The channel
 * that has waited longest since its last delivery comes first, so a long queue does not delay a short one. The given order breaks ties.
 * @param due channels with a due delivery, longest due first
 * @param underWay channels with a delivery under way
 * @param lastServed higher for a channel that was served more recently; 0 for a channel that was never served
 * @returns channel ids, within {@link CONCURRENCY_LIMIT}
 */
export function admitted(
  due: readonly Recipient[],
  underWay: readonly Recipient[],
  lastServed: (channelId: string) => number,
): string[] {
  const channels = new Set(underWay.map(({ channelId }) => channelId))
  const hosts = new Map<string, number>()
  for (const { host } of underWay) hosts.set(host, (hosts.get(host) ?? 0) + 1)
  let free = CONCURRENCY_LIMIT.total - underWay.length
  const chosen: string[] = []
  const queue = due.map(({ channelId, host }) => ({ channelId, host, servedAt: lastServed(channelId) }))
  for (const { channelId, host } of queue.toSorted((a, b) => a.servedAt - b.servedAt)) {
    const ofHost = hosts.get(host) ?? 0
    if (free <= 0 || ofHost >= CONCURRENCY_LIMIT.perHost || channels.has(channelId)) continue
    hosts.set(host, ofHost + 1)
    free -= 1
    chosen.push(channelId)
  }
  return chosen
}
