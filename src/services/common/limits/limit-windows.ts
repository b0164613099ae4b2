/**
 * Counters for rate limits. A counter counts how often a key is used within a time window. A key is, for example, an email address, a
 * network or an account.
 */
import { createHash } from 'node:crypto'
import { createSlidingWindow, type Uses } from '../../../lib/limits/sliding-window.ts'
import { clientNetwork } from '../../../lib/network/network.ts'
import type { Clock } from '../../../lib/time.ts'

export interface Limit {
  readonly limit: number
  readonly seconds: number
}

export const HOUR_SECONDS = 3_600

/** Counts the uses of a key. */
export interface Counter {
  look(): Uses
  count(): void
  takeBack(): void
  clear(): void
}

/** Creates a counter for a key. The key may be a string of any length, because only its digest is stored. */
export type CounterOf = (key: string) => Counter

export function createCounters(now: Clock, { limit, seconds }: Limit): CounterOf {
  const window = createSlidingWindow(now, limit, seconds)
  return (text) => {
    const key = digest(text)
    return {
      look: () => window.look(key),
      count: () => void window.count(key),
      takeBack: () => window.takeBack(key),
      clear: () => window.clear(key),
    }
  }
}

/** @param address canonical address of a client; null if unknown; all unknown addresses count as one network */
export function networkOf(address: string | null): string {
  return address === null ? 'unknown' : clientNetwork(address)
}

/** Returns how many seconds it takes until every counter allows another use; 0 if they all allow one now. */
export function waitOf(counters: readonly Counter[]): number {
  const full = counters.map((counter) => counter.look()).filter(({ left }) => left === 0)
  return Math.max(0, ...full.map(({ oldestEndsSeconds }) => oldestEndsSeconds))
}

/**
 * Counts a use with all counters, unless one of them has reached its limit.
 * @returns how many seconds to wait; 0 if the use was counted
 */
export function take(counters: readonly Counter[]): number {
  const wait = waitOf(counters)
  if (wait === 0) for (const counter of counters) counter.count()
  return wait
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
