/** Seats: how many deliveries are on their way at once, and which channel gets the next. */

/** What one delivery on its way takes up. */
export interface Seat {
  readonly channelId: string
  readonly host: string
}

/** A channel to which something is due. */
export interface DueChannel extends Seat {
  /** deliveries that can be taken now; those beyond `SEATS.perChannel` need not be counted */
  readonly due: number
}

export const SEATS = { total: 128, perHost: 16, perChannel: 4 } as const

/** So many are left to channels that have no seat at all: many slow receivers together do not shut the others out. */
const FOR_NEWCOMERS = 64

/**
 * Shares out the seats that are free: first to channels with none, then with one, and so on; among equals to those whose
 * turn is longest ago, then in the order given. So a long queue never stands before a short one.
 * @param due longest due first
 * @param lastTurn a number that is the larger, the later the channel got its last seat; 0 when it never had one
 * @returns a channel id for each delivery to be taken
 */
export function grantSeats(
  due: readonly DueChannel[],
  taken: Iterable<Seat>,
  lastTurn: (channelId: string) => number,
): string[] {
  const seats = new Counts()
  let total = 0
  for (const seat of taken) {
    seats.add(seat)
    total += 1
  }
  const granted: string[] = []
  let queue = due.map((channel) => ({ ...channel, left: channel.due, turn: lastTurn(channel.channelId) }))
  queue.sort((a, b) => a.turn - b.turn)
  for (let place = 0; place < SEATS.perChannel; place += 1) {
    const limit = place === 0 ? SEATS.total : SEATS.total - FOR_NEWCOMERS
    for (const channel of queue) {
      if (total >= limit) break
      if (seats.ofChannel(channel) !== place || seats.ofHost(channel) >= SEATS.perHost) continue
      seats.add(channel)
      total += 1
      channel.left -= 1
      granted.push(channel.channelId)
    }
    queue = queue.filter(({ left }) => left > 0)
  }
  return granted
}

class Counts {
  readonly #channels = new Map<string, number>()
  readonly #hosts = new Map<string, number>()

  add({ channelId, host }: Seat): void {
    this.#channels.set(channelId, (this.#channels.get(channelId) ?? 0) + 1)
    this.#hosts.set(host, (this.#hosts.get(host) ?? 0) + 1)
  }

  ofChannel({ channelId }: Seat): number {
    return this.#channels.get(channelId) ?? 0
  }

  ofHost({ host }: Seat): number {
    return this.#hosts.get(host) ?? 0
  }
}
