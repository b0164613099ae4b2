/** Turns: which channel was served longest ago, for as many as were served lately. */

/** A channel that is forgotten counts as one that never had a turn. */
const CHANNELS_LIMIT = 10_000

export interface Turns {
  record(channelId: string): void
  /** The number of the channel's last turn, counted from 1; 0 when none is remembered. */
  last(channelId: string): number
}

export function createTurns(): Turns {
  const numbers = new Map<string, number>()
  let count = 0
  return {
    record(channelId) {
      count += 1
      // Taken out and put back, the channel moves to the end: a Map keeps the order of insertion.
      numbers.delete(channelId)
      numbers.set(channelId, count)
      const [oldest] = numbers.keys()
      if (numbers.size > CHANNELS_LIMIT && oldest !== undefined) numbers.delete(oldest)
    },
    last: (channelId) => numbers.get(channelId) ?? 0,
  }
}
