/** Moves a schedule to the time at which the job's runs begin. */
import { localReadings } from '../../preview/local-readings.ts'
import type { Fix } from '../advice.ts'
import type { Reading } from '../reading.ts'
import type { Verdict } from '../verdicts.ts'
import { moved, timeSet } from './schedule-edits.ts'

/** @param verdicts verdicts on runs that began at the same time of day; the new time is that of the earliest run */
export function timeFix({ facts }: Reading, verdicts: readonly Verdict[]): Fix {
  const [earliest] = verdicts.toSorted((a, b) => a.delay - b.delay)
  if (earliest === undefined) return { do: 'ask', about: 'schedule' }
  const { delay, run } = earliest
  const [slot = 0, began = 0] = localReadings(facts.check.tz, [run.began - delay, run.began])
  return movedFix(facts.check.schedule, timeSet(began) - slot)
}

/** @param by offset in milliseconds, a whole number of minutes */
export function movedFix(text: string, by: number): Fix {
  const schedule = moved(text, by)
  return schedule === null ? { do: 'ask', about: 'schedule' } : { do: 'set', settings: { schedule } }
}
