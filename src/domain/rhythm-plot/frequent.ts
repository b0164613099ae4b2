/** The sentence about a job that runs many times a day. It says how often the job runs and how long its longest silence was. */
import { dayWords, durationWords } from '../../lib/time-words.ts'
import { inSentence, scheduleWords } from '../check/schedule-words.ts'
import { HOUR, MINUTE } from '../units.ts'
import type { PlotRun } from './facts.ts'
import type { Found } from './found.ts'
import type { RunCounts } from './past-days.ts'

/** A period without any run. Times are in milliseconds. */
export interface Silence {
  /** time of the last run before the silence */
  readonly at: number
  readonly length: number
}

const WATCHED_RARELY = 10
const SILENT_GAPS = 3

/** Returns a phrase such as `a run every 5 min, expected every day; on 9 Nov nothing ran for 7 h 10 min`. */
export function frequentWords(
  { gap, timing, tz, counts }: Pick<Found, 'gap' | 'timing' | 'tz' | 'counts'>,
  silence: Silence | null,
): string {
  const every = gap * MINUTE
  const isRarely = timing.kind === 'simple' && timing.timeoutSeconds * 1_000 >= WATCHED_RARELY * every
  const watched = isRarely ? `, expected ${inSentence(scheduleWords(timing).words)}` : ''
  const isLong = silence !== null && silence.length >= Math.max(HOUR, SILENT_GAPS * every)
  const silent = isLong
    ? `; on ${dayWords(silence.at, tz)} nothing ran for ${durationWords(silence.length / 1_000)}`
    : ''
  const seconds = every / 1_000
  return `a run every ${durationWords(seconds < 1 ? seconds : Math.round(seconds))}${watched}${silent}${failedWords(counts)}`
}

/** @param came the runs that actually happened, oldest first */
export function longestSilence(came: readonly Pick<PlotRun, 'began'>[]): Silence | null {
  let longest: Silence | null = null
  for (const [index, { began }] of came.entries()) {
    const before = came[index - 1]?.began ?? began
    if (began - before > (longest?.length ?? 0)) longest = { at: before, length: began - before }
  }
  return longest
}

function failedWords({ came, failed }: RunCounts): string {
  return failed === 0 ? '' : `; ${failed.toLocaleString('en')} of ${came.toLocaleString('en')} runs failed`
}
