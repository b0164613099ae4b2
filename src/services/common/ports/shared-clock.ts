/**
 * The clock of the database, which all instances go by: the clock of this machine minus what it is ahead. So a check is judged, and a
 * delivery is claimed, at the same instant by whichever instance comes first.
 */
import { type Clock, fromMicroseconds, type Instant, microsecondsBetween, toMicroseconds } from '../../../lib/time.ts'
import type { Store } from '../../../store/store.ts'

const MICROSECONDS = 1_000_000
/** The machine tells its time in milliseconds. */
const RESOLUTION = 1_000

interface ClockReading {
  /** the time of the database */
  readonly at: Instant
  /** seconds by which the clock of this machine is ahead of it; negative: behind */
  readonly ahead: number
  /** seconds by which this reading has put `now` back; 0 if it has not */
  readonly setBackBy: number
}

export interface SharedClock {
  /** Asks nobody. */
  readonly now: Clock
  /** Asks the database for its time; `now` goes by the answer. @throws Refusal `unavailable` */
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
      // The database told its time in between.
      const ahead = Math.round((microsecondsBetween(at, before) + microsecondsBetween(at, after)) / 2)
      const last = kept
      // A smaller difference may be that of two slow answers. If the clock of this machine is set meanwhile, the next reading tells by how much.
      const uncertain = Math.abs(microsecondsBetween(before, after)) + RESOLUTION
      if (Math.abs(ahead - kept) > uncertain) kept = ahead
      return { at, ahead: ahead / MICROSECONDS, setBackBy: Math.max(0, kept - last) / MICROSECONDS }
    },
  }
}
