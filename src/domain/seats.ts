/** Seats: how many deliveries are on their way at once, one to a channel, and which channel gets the next. */

/** A channel, and what a delivery to it takes up. */
export interface Seat {
  readonly channelId: string
  readonly host: string
}

export const SEATS = { total: 128, perHost: 16 } as const

/**
 * Shares out the seats that are free, one at most to each channel, so that its deliveries leave one after another. Those
 * whose turn is longest ago come first, then those first in the order given: a long queue never stands before a short one.
 * @param due channels to which something is due, longest due first
 * @param lastTurn a number that is the larger, the later the channel got its last seat; 0 when it never had one
 * @returns the ids of the channels that get a seat
 */
export function grantSeats(
  due: readonly Seat[],
  taken: readonly Seat[],
  lastTurn: (channelId: string) => number,
): string[] {
  const channels = new Set(taken.map(({ channelId }) => channelId))
  const hosts = new Map<string, number>()
  for (const { host } of taken) hosts.set(host, (hosts.get(host) ?? 0) + 1)
  let free = SEATS.total - taken.length
  const granted: string[] = []
  const queue = due.map(({ channelId, host }) => ({ channelId, host, turn: lastTurn(channelId) }))
  for (const { channelId, host } of queue.toSorted((a, b) => a.turn - b.turn)) {
    const ofHost = hosts.get(host) ?? 0
    if (free <= 0 || ofHost >= SEATS.perHost || channels.has(channelId)) continue
    hosts.set(host, ofHost + 1)
    free -= 1
    granted.push(channelId)
  }
  return granted
}
