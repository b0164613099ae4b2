/**
 * The database's clock, which all instances follow. It is computed as this machine's clock, minus the time by which that clock is ahead of
 * the database. All instances therefore use the same time to judge checks and claim deliveries.
 */
import { type Clock, fromMicroseconds, type Instant, microsecondsBetween, toMicroseconds } from '../../../lib/time.ts'
import type { Store } from '../../../store/store.ts'

const MICROSECONDS = 1_000_000
/** Resolution in microseconds. The machine's clock has a resolution of one millisecond. */
const RESOLUTION = 1_000

interface ClockReading {
  /** the database's time */
  readonly at: Instant
  /** seconds by which this machine's clock is ahead of the database's clock; negative if it is behind */
  readonly ahead: number
  /** seconds by which this reading has set `now` back; 0 if it has not */
  readonly setBackBy: number
}

export interface SharedClock {
  /** The current time. Reading it does not require a query. */
  readonly now: Clock
  /** Reads the database's time and adjusts `now` to it. @throws Refusal `unavailable` */
  read(): Promise<ClockReading>
}

/** @param own this machine's clock; `now` uses it until the first reading */
export function createSharedClock(readClock: Store['server']['readClock'], own: Clock): SharedClock {
  /** in microseconds */
  let kept = 0
  return {
    now: () => (kept === 0 ? own() : fromMicroseconds(toMicroseconds(own()) - kept)),
    async read() {
      const before = own()
      const at = await readClock()
      const after = own()
      // The database read its clock at some point between these two readings.
      const ahead = Math.round((microsecondsBetween(at, before) + microsecondsBetween(at, after)) / 2)
      const last = kept
      // A smaller difference may be due to two slow responses. If this machine's clock was set in between, the next reading will
      // detect it.
      const uncertain = Math.abs(microsecondsBetween(before, after)) + RESOLUTION
      if (Math.abs(ahead - kept) > uncertain) kept = ahead
      return { at, ahead: ahead / MICROSECONDS, setBackBy: Math.max(0, kept - last) / MICROSECONDS }
    },
  }
}
