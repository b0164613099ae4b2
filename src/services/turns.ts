/** Turns: which channel was served longest ago, for as many as were served lately. */

import { BoundedCache } from '../domain/bounded-cache.ts'

/** A channel that is forgotten counts as one that never had a turn. */
const CHANNELS_LIMIT = 10_000

export interface Turns {
  record(channelId: string): void
  /** The number of the channel's last turn, counted from 1; 0 when none is remembered. */
  last(channelId: string): number
}

export function createTurns(): Turns {
  const turns = new BoundedCache<{ number: number }>(CHANNELS_LIMIT)
  let count = 0
  return {
    record(channelId) {
      count += 1
      turns.get(channelId, () => ({ number: 0 })).number = count
    },
    last: (channelId) => turns.peek(channelId)?.number ?? 0,
  }
}
