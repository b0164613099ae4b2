/**
 * The clock of the database, which all instances follow. It is computed as the clock of this machine minus its lead. All instances
 * therefore judge checks and claim deliveries by the same time.
 */
import { type Clock, fromMicroseconds, type Instant, microsecondsBetween, toMicroseconds } from '../../../lib/time.ts'
import type { Store } from '../../../store/store.ts'

const MICROSECONDS = 1_000_000
/** Resolution in microseconds. The machine reports its time in milliseconds. */
const RESOLUTION = 1_000

interface ClockReading {
  /** the time of the database */
  readonly at: Instant
  /** seconds by which the clock of this machine is ahead of the database; negative if it is behind */
  readonly ahead: number
  /** seconds by which this reading has set `now` back; 0 if it has not */
  readonly setBackBy: number
}

export interface SharedClock {
  /** The current time. Reading it needs no query. */
  readonly now: Clock
  /** Reads the time of the database and adjusts `now` to it. @throws Refusal `unavailable` */
  read(): Promise<ClockReading>
}

/** @param own clock of this machine, which `now` uses until the first reading */
export function createSharedClock(readClock: Store['server']['readClock'], own: Clock): SharedClock {
  /** microseconds */
  let kept = 0
  return {
    now: () => (kept === 0 ? own() : fromMicroseconds(toMicroseconds(own()) - kept)),
    async read() {
      const before = own()
      const at = await readClock()
      const after = own()
      // The database read its clock between these two readings.
      const ahead = Math.round((microsecondsBetween(at, before) + microsecondsBetween(at, after)) / 2)
      const last = kept
      // Two slow answers may cause a smaller difference. If the clock of this machine was set in between, the next reading detects it.
      const uncertain = Math.abs(microsecondsBetween(before, after)) + RESOLUTION
      if (Math.abs(ahead - kept) > uncertain) kept = ahead
      return { at, ahead: ahead / MICROSECONDS, setBackBy: Math.max(0, kept - last) / MICROSECONDS }
    },
  }
}
