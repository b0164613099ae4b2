/** A fair queue of channels. The channel that was served longest ago is next. */

import { LRUCache } from 'lru-cache'
import { admitted, type Recipient } from '../../domain/alert/concurrency-limit.ts'
import { atMost } from '../../lib/caches/at-most.ts'

/** Maximum number of channels to remember. All other channels count as never served. */
const CHANNELS_LIMIT = 10_000

interface FairQueue {
  recordServed(channelId: string): void
  /** Like {@link admitted}, but also records the order in which channels were served. */
  next(due: readonly Recipient[], underWay: readonly Recipient[]): string[]
}

export function createFairQueue(): FairQueue {
  const served = new LRUCache<string, number>(atMost(CHANNELS_LIMIT))
  let count = 0
  return {
    recordServed(channelId) {
      count += 1
      served.set(channelId, count)
    },
    next: (due, underWay) => admitted(due, underWay, (channelId) => served.peek(channelId) ?? 0),
  }
}
