/**
 * The clock of the database, which all instances follow: the clock of this machine minus its lead. So a check is judged, and a delivery is
 * claimed, at the same instant by any instance.
 */
import { type Clock, fromMicroseconds, type Instant, microsecondsBetween, toMicroseconds } from '../../../lib/time.ts'
import type { Store } from '../../../store/store.ts'

const MICROSECONDS = 1_000_000
/** Microseconds of resolution: the machine reports its time in milliseconds. */
const RESOLUTION = 1_000

interface ClockReading {
  /** the time of the database */
  readonly at: Instant
  /** seconds by which the clock of this machine is ahead of the database; negative: behind */
  readonly ahead: number
  /** seconds by which this reading has set `now` back; 0 if it has not */
  readonly setBackBy: number
}

export interface SharedClock {
  /** The time, without a query. */
  readonly now: Clock
  /** Reads the time of the database, which `now` then follows. @throws Refusal `unavailable` */
  read(): Promise<ClockReading>
}

/** @param own the clock of this machine; `now` equals it until the first reading */
export function createSharedClock(readClock: Store['server']['readClock'], own: Clock): SharedClock {
  /** microseconds */
  let kept = 0
  return {
    now: () => (kept === 0 ? own() : fromMicroseconds(toMicroseconds(own()) - kept)),
    async read() {
      const before = own()
      const at = await readClock()
      const after = own()
      // The database read its clock in between.
      const ahead = Math.round((microsecondsBetween(at, before) + microsecondsBetween(at, after)) / 2)
      const last = kept
      // A smaller difference may be caused by two slow answers. If the clock of this machine is set in the meantime, the next reading shows
      // by how much.
      const uncertain = Math.abs(microsecondsBetween(before, after)) + RESOLUTION
      if (Math.abs(ahead - kept) > uncertain) kept = ahead
      return { at, ahead: ahead / MICROSECONDS, setBackBy: Math.max(0, kept - last) / MICROSECONDS }
    },
  }
}
