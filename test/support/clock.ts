/** A clock that only the test moves. */
import { type Clock, type Instant, Temporal } from '../../src/lib/time.ts'

export interface HandClock {
  readonly now: Clock
  /** Moves the clock forward, or back for negative values. */
  advance(duration: Temporal.DurationLike): Instant
  set(instant: string): Instant
}

export const MIDWEEK_NOON = '2026-03-04T12:00:00Z'

export function handClock(start: string = MIDWEEK_NOON): HandClock {
  let present = Temporal.Instant.from(start)
  return {
    now: () => present,
    advance: (duration) => (present = present.add(duration)),
    set: (instant) => (present = Temporal.Instant.from(instant)),
  }
}

/** A stopwatch that runs with the clock: work takes no time, so nothing rests after it. */
export function stopwatchOf({ now }: HandClock): () => number {
  return () => now().epochMilliseconds / 1_000
}

/** The clock of another machine, which differs by what `ahead` returns at the moment. */
export function clockAhead(of: HandClock, ahead: () => Temporal.DurationLike): HandClock {
  const now = () => of.now().add(ahead())
  return {
    now,
    advance(duration) {
      of.advance(duration)
      return now()
    },
    set(instant) {
      of.set(Temporal.Instant.from(instant).subtract(ahead()).toString())
      return now()
    },
  }
}
