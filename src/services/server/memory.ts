/**
 * Frees memory after much work, once there is little: the cache of the database for many pings, and garbage, which the runtime collects
 * only when it needs more memory.
 */
import type { Deps } from '../common/deps.ts'

const LOOK_EVERY_SECONDS = 1
const MANY_PINGS_A_SECOND = 100
/** Used share of a core from which a look counts as busy. */
const BUSY_FROM = 0.2
/** Busy looks in a row after which there is much work: more than the burst of pings at each full minute has. */
const BUSY_LOOKS = 5
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
  // After the pings end, their words are still indexed for a while, which needs less memory.
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

/** The load of one kind of work. There is much from five busy looks in a row until three quiet seconds, and at the start. */
class Load {
  #lastBusyAt: number
  #busyLooks = 0
  #isMuch = true

  /** @param now in seconds */
  constructor(now: number) {
    this.#lastBusyAt = now
  }

  /** @param now in seconds */
  next(now: number, isBusy: boolean): 'begins' | 'ends' | null {
    this.#busyLooks = isBusy ? this.#busyLooks + 1 : 0
    if (isBusy) this.#lastBusyAt = now
    const wasMuch = this.#isMuch
    this.#isMuch = wasMuch ? now < this.#lastBusyAt + QUIET_SECONDS : this.#busyLooks >= BUSY_LOOKS
    if (this.#isMuch === wasMuch) return null
    return this.#isMuch ? 'begins' : 'ends'
  }
}
