/**
 * Frees memory when the server goes quiet after heavy work: shrinks the database cache and collects garbage. Otherwise, the runtime would
 * not collect the garbage until it needs more memory.
 */
import type { Deps } from '../common/deps.ts'

const LOOK_EVERY_SECONDS = 1
const MANY_PINGS_A_SECOND = 100
/** Fraction of a core above which a measurement counts as busy. */
const BUSY_FROM = 0.2
/**
 * Number of consecutive busy measurements that count as heavy work. The burst of pings at the start of each minute causes fewer busy
 * measurements.
 */
const BUSY_LOOKS = 5
const QUIET_SECONDS = 3

/** @returns a function to call about every second; most calls do nothing */
export function createMemoryWatch({
  store,
  measurements,
  ownProcess,
  stopwatch,
}: Pick<Deps, 'store' | 'measurements' | 'ownProcess' | 'stopwatch'>): () => void {
  const look = () => ({ at: stopwatch(), pings: measurements.pingCount, processor: ownProcess.cpuSeconds() })
  let last = look()
  // The words from a burst of pings are indexed for a while afterwards, which needs less memory.
  const pinging = new Load(last.at)
  const working = new Load(last.at)
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

/**
 * Tracks the load from one kind of work. The load counts as heavy after five consecutive busy measurements, until three quiet seconds
 * have passed. It starts out as heavy.
 */
class Load {
  #lastBusyAt: number
  #busyLooks = 0
  #isMuch = true

  /** @param now stopwatch time in seconds */
  constructor(now: number) {
    this.#lastBusyAt = now
  }

  /** @param now stopwatch time in seconds */
  next(now: number, isBusy: boolean): 'begins' | 'ends' | null {
    this.#busyLooks = isBusy ? this.#busyLooks + 1 : 0
    if (isBusy) this.#lastBusyAt = now
    const wasMuch = this.#isMuch
    this.#isMuch = wasMuch ? now < this.#lastBusyAt + QUIET_SECONDS : this.#busyLooks >= BUSY_LOOKS
    if (this.#isMuch === wasMuch) return null
    return this.#isMuch ? 'begins' : 'ends'
  }
}
