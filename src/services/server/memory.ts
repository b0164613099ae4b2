/**
 * Memory that much work has taken is given back when there is little: what is kept of the database for many pings, and garbage, which the
 * runtime collects only when it needs more.
 */
import type { Deps } from '../common/deps.ts'

const LOOK_EVERY_SECONDS = 1
const MANY_PINGS_A_SECOND = 100
/** A fifth of a core. */
const BUSY_FROM = 0.2
/** Between two waves of work it is not worthwhile. */
const QUIET_SECONDS = 3

/** @returns a function to call every second or so; most calls do nothing */
export function createMemoryWatch({
  store,
  measurements,
  ownProcess,
  stopwatch,
}: Pick<Deps, 'store' | 'measurements' | 'ownProcess' | 'stopwatch'>): () => void {
  const look = () => ({ at: stopwatch(), pings: measurements.pingCount, processor: ownProcess.cpuSeconds() })
  let last = look()
  // When pings end, their words are still read for a while, which needs less memory than they did.
  const pinging = new Wave(last.at)
  const working = new Wave(last.at)
  return () => {
    const now = look()
    const seconds = now.at - last.at
    if (seconds < LOOK_EVERY_SECONDS) return
    const pings = pinging.next(now.at, now.pings - last.pings > MANY_PINGS_A_SECOND * seconds)
    const work = working.next(now.at, now.processor - last.processor > BUSY_FROM * seconds)
    last = now
    if (pings !== null) store.server.cache(pings === 'begins' ? 'much' : 'little')
    if (pings === 'ends' || work === 'ends') ownProcess.collectGarbage()
  }
}

class Wave {
  #lastAt: number
  #isOn = true

  /** @param at when it has begun, in seconds */
  constructor(at: number) {
    this.#lastAt = at
  }

  next(at: number, isBusy: boolean): 'begins' | 'ends' | null {
    if (isBusy) this.#lastAt = at
    const wasOn = this.#isOn
    this.#isOn = at < this.#lastAt + QUIET_SECONDS
    if (this.#isOn === wasOn) return null
    return this.#isOn ? 'begins' : 'ends'
  }
}
