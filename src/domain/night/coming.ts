/** Lists the next expected runs and the runs in progress. */
import { type Instant, Temporal, toMicroseconds } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import { showCheck } from '../check/shown-check.ts'
import { deadline } from '../check/status.ts'
import type { Night } from './night.ts'

export interface Coming<Place> {
  readonly place: Place
  readonly check: Check
  /** time at which the run is expected; for a run in progress, its deadline */
  readonly at: Instant
  readonly isRunning: boolean
}

/**
 * Returns the next five runs. Checks that run more than once an hour are included only if there are no others, because they would crowd out
 * the rest.
 */
export function comingRuns<Place>({ groups, now }: Night<Place>): readonly Coming<Place>[] {
  const at = Temporal.Instant.fromEpochMilliseconds(now)
  const of = (isFrequent: boolean) =>
    groups.flatMap(({ place, open, folded, frequent, frequentTrouble, notDue }) =>
      [...open, ...folded, ...frequent, ...frequentTrouble, ...notDue]
        .filter(({ comb }) => (comb !== null) === isFrequent)
        .flatMap(({ check }) => comingRun(place, check, at)),
    )
  const rare = of(false)
  const coming = rare.length > 0 ? rare : of(true)
  return coming.toSorted((a, b) => toMicroseconds(a.at) - toMicroseconds(b.at)).slice(0, SHOWN)
}

const SHOWN = 5

function comingRun<Place>(place: Place, check: Check, now: Instant): readonly Coming<Place>[] {
  const { state, expected } = showCheck(check, now)
  const isRunning = state === 'started'
  const at = isRunning ? deadline(check, expected) : state === 'up' ? expected : null
  return at === null ? [] : [{ place, check, at, isRunning }]
}
