/**
 * Memory that many pings have taken is given back when few come: what is kept of the database, and garbage, which the runtime collects only
 * when it needs more.
 */
import type { Deps } from '../common/deps.ts'

const LOOK_EVERY_SECONDS = 1
const MANY_A_SECOND = 100
/** Between two waves of pings it is not worthwhile. */
const QUIET_SECONDS = 3

/** @returns a function to call every second or so; most calls do nothing */
export function createMemoryWatch({
  store,
  measurements,
  ownProcess,
  stopwatch,
}: Pick<Deps, 'store' | 'measurements' | 'ownProcess' | 'stopwatch'>): () => void {
  let last = { at: stopwatch(), pings: measurements.pingCount }
  let busyAt = last.at
  let hasMuch = true
  return () => {
    const look = { at: stopwatch(), pings: measurements.pingCount }
    const seconds = look.at - last.at
    if (seconds < LOOK_EVERY_SECONDS) return
    const isBusy = look.pings - last.pings > MANY_A_SECOND * seconds
    last = look
    if (isBusy) {
      busyAt = look.at
      if (!hasMuch) store.server.cache('much')
      hasMuch = true
    } else if (hasMuch && look.at >= busyAt + QUIET_SECONDS) {
      hasMuch = false
      store.server.cache('little')
      ownProcess.collectGarbage()
    }
  }
}
