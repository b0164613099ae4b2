/**
 * The sentence about a job that always runs at a different time of day than expected, for example because it uses a different time zone.
 */
import { dayWords, durationWords } from '../../lib/time-words.ts'
import { denseArc, modulo } from '../preview/dense-arc.ts'
import { MINUTE } from '../units.ts'
import { DAY_MINUTES } from './axis.ts'
import type { PlotRun } from './facts.ts'
import type { Found } from './found.ts'

const MOST = 0.9
/** Minimum gap between two runs of a daily job, in minutes. */
const DAILY_FROM = 20 * 60
/** Maximum difference between start times that count as the same time of day, in minutes. */
const SAME_TIME = 15
const ROUND = 5
const NEARLY = 2

/**
 * Returns a phrase such as `every run started late: at 05:00 until 24 Oct and at 04:00 since, always 03:00 UTC; expected at 03:00`; null if
 * most runs were on time.
 */
export function shiftWords({ axis, gap, tz, clock }: Found, came: readonly PlotRun[]): string | null {
  const shifted = came.filter(({ due }) => due !== null)
  // The first run in a log is never late, because no earlier run is known.
  const judged = came[0]?.due === null ? came.slice(1) : came
  const last = shifted.at(-1)
  if (!last || axis.kind !== 'day' || gap < DAILY_FROM || shifted.length < judged.length * MOST) return null
  const minuteOf = (at: number) => modulo(clock.reading(at) / MINUTE, DAY_MINUTES)
  const due = minuteOf(last.due ?? last.began)
  const delay = modulo(minuteOf(last.began) - due + DAY_MINUTES / 2, DAY_MINUTES) - DAY_MINUTES / 2
  const who = shifted.length === judged.length ? 'every run' : `${shifted.length} of ${judged.length} runs`
  const when = timesWords(shifted, minuteOf, clock.reading, tz)
  return `${who} started ${delay < 0 ? 'early' : 'late'}: ${when}; expected at ${clockWords(due)}`
}

function timesWords(
  runs: readonly PlotRun[],
  minuteOf: (at: number) => number,
  reading: (at: number) => number,
  tz: string,
): string {
  const same = sameTime(runs.map(({ began }) => minuteOf(began)))
  const inUtc = sameTime(runs.map(({ began }) => began / MINUTE))
  const isElsewhere = inUtc !== null && runs.some(({ began }) => reading(began) !== began)
  if (same !== null) return `at ${clockWords(same)}${isElsewhere ? `, ${clockWords(inUtc)} UTC` : ''}`
  const byOffset = [...Map.groupBy(runs, ({ began }) => reading(began) - began).values()]
  const times = byOffset.map((some) => sameTime(some.map(({ began }) => minuteOf(began))))
  const [first, second, third] = times
  const ended = byOffset[0]?.at(-1)
  if (first == null || second == null || third !== undefined || !ended || inUtc === null) return spreadWords(runs)
  return `at ${clockWords(first)} until ${dayWords(ended.began, tz)} and at ${clockWords(second)} since, always ${clockWords(inUtc)} UTC`
}

function spreadWords(runs: readonly PlotRun[]): string {
  const delays = runs.flatMap(({ began, due }) => (due === null ? [] : [began - due]))
  return `by ${durationWords(Math.floor(Math.min(...delays) / 1_000))} to ${durationWords(Math.floor(Math.max(...delays) / 1_000))}`
}

/** Returns the minute of the day at which most runs began; null if they began at different times of day. */
function sameTime(minutes: readonly number[]): number | null {
  const { start, width } = denseArc(minutes, DAY_MINUTES, MOST)
  return width <= SAME_TIME ? start : null
}

/**
 * Formats a time such as `04:00`. A time close to a multiple of five minutes is rounded, so that a job started by cron at 04:00 is not
 * shown as 04:01.
 */
function clockWords(minute: number): string {
  const round = Math.round(minute / ROUND) * ROUND
  const shown = modulo(Math.abs(minute - round) <= NEARLY ? round : Math.floor(minute), DAY_MINUTES)
  return `${String(Math.floor(shown / 60)).padStart(2, '0')}:${String(shown % 60).padStart(2, '0')}`
}
