/** The sentence below a rhythm plot. It is also the plot's alt text. */
import { dayWords, durationWords } from '../../lib/time-words.ts'
import { periodInWords } from '../duration.ts'
import { SECOND } from '../units.ts'
import type { PlotRun } from './facts.ts'
import { type Found, shareWords } from './found.ts'
import { frequentWords, longestSilence } from './frequent.ts'
import { missingDayWords } from './missing-days.ts'
import { shiftWords } from './shift.ts'

/** Returns the sentence, starting with a lower-case letter and without a trailing period. */
export function findingOf(found: Found): string {
  const came = found.runs.filter(({ kind }) => kind !== 'missing')
  if (found.axis.kind === 'hour') return frequentWords(found, longestSilence(came))
  const words =
    shiftWords(found, came) ?? longWords(found, came) ?? missingDayWords(found, came) ?? flappingWords(found, came)
  return words ?? ordinaryWords(found, came)
}

/**
 * Returns a phrase such as `25 of 30 runs took longer than the grace time of 1 hour: up to 1 h 27 min`. The phrase begins with `25 of 30
 * runs of the log` if the durations of some older runs are unknown.
 */
function longWords({ timing }: Found, came: readonly PlotRun[]): string | null {
  const grace = timing.graceSeconds * SECOND
  const isPartly = came.some(({ n, isTimed }) => n === null && !isTimed)
  const judged = isPartly ? came.filter(({ n }) => n !== null) : came
  const long = judged.filter(({ kind, began, ended }) => kind === 'late' && ended - began >= grace)
  if (long.length === 0 || long.length * 2 < judged.length) return null
  const longest = Math.max(...long.map(({ began, ended }) => ended - began))
  const who = `${shareWords(long.length, judged.length)}${isPartly ? ' of the log' : ''}`
  return `${who} took longer than the grace time of ${periodInWords(timing.graceSeconds)}: up to ${durationWords(Math.floor(longest / SECOND))}`
}

const FLAPPING_FROM = 4
const CHANGES = 0.4

/**
 * Returns a phrase such as `flapping since 6 Nov: 31 of 62 runs failed`. The phrase says `at least since 6 Nov` if runs failed on an
 * earlier day too, but it is unknown which ones.
 */
function flappingWords({ tz, days }: Found, came: readonly PlotRun[]): string | null {
  const unknown = days.findLast(({ runs, failed }) => failed > 0 && failed < runs)?.until ?? null
  const first = came.findIndex(({ kind, began }) => kind === 'failed' && began >= (unknown ?? began))
  const since = came.slice(first)
  const failed = since.filter(({ kind }) => kind === 'failed').length
  const changes = since.filter(
    ({ kind }, index) => index > 0 && (kind === 'failed') !== (since[index - 1]?.kind === 'failed'),
  )
  const begun = since[0]
  if (first < 0 || !begun || failed < FLAPPING_FROM || changes.length < since.length * CHANGES) return null
  return `flapping ${unknown === null ? '' : 'at least '}since ${dayWords(begun.began, tz)}: ${failed} of ${since.length} runs failed`
}

/** Returns a phrase such as `28 of 30 runs went as expected, 1 failed, 1 is missing; the last one took 38 min, longer than usual`. */
function ordinaryWords({ counts, timing, extra }: Found, came: readonly PlotRun[]): string {
  const { failed, missing } = counts
  const late = came.filter(({ kind }) => kind === 'late').length
  const all = counts.came + missing
  const last = came.at(-1)
  const isSlow = last?.kind === 'slow'
  const others = [
    ...(extra > 0 ? [`${extra} on days on which none is expected`] : []),
    ...(late > 0 ? [`${late} started or ended late`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(missing > 0 ? [`${missing} ${missing === 1 ? 'is' : 'are'} missing`] : []),
  ]
  const good = `${shareWords(Math.max(0, all - failed - missing - late - extra), all)} went as expected`
  const period =
    timing.kind === 'simple' && others.length === 0 ? `, every ${periodInWords(timing.timeoutSeconds)}` : ''
  const slow = isSlow
    ? `; the last one took ${durationWords(Math.floor((last.ended - last.began) / 1_000))}, longer than usual`
    : ''
  return [`${good}${period}`, ...others].join(', ') + slow
}
