/** Summarizes a night in one sentence, which is the first line of the night page and the subject of the morning email. */

import { durationWords } from '../../lib/time-words.ts'
import { mutedStretchWords } from '../incident/muted-words.ts'
import type { PlotRun } from '../rhythm-plot/facts.ts'
import type { Sentence } from '../sentence/sentence.ts'
import type { Stretch } from '../stretch.ts'
import { MINUTE } from '../units.ts'
import type { MutedTogether } from './muted.ts'
import type { JudgedRow, Night, NightCounts } from './night.ts'
import { clockOf, percentLonger } from './outcome-words.ts'
import type { NightRow } from './row.ts'
import { isGood } from './slots.ts'
import type { NightWindow } from './window.ts'

export interface NightSentence {
  /** words for an outage of Overdue itself; empty if there was none to mention */
  readonly away: string
  /** a phrase such as `23 of 27 ran; 2 missing, 2 failed.` */
  readonly counts: string
  /**
   * phrase about the run that exceeded its usual duration the most or, if the night had no problems, about the longest run; may be empty
   */
  readonly more: Sentence
}

/** Minimum slowdown to mention, as a percentage of the usual duration. */
const SLOWER_BY_PERCENT = 25
const SLOWER_BY = 5 * MINUTE
/** Minimum length of an outage to mention. A restart that takes a few minutes doesn't cause any run to be missed. */
const AWAY_FROM = 10 * MINUTE

/**
 * @param outage the last outage of Overdue itself
 * @param tz IANA name
 */
export function nightSentence(night: Night<unknown>, outage: Stretch | null, tz: string): NightSentence {
  const rows = night.groups.flatMap(({ open, folded }) => [...open, ...folded])
  const { missing, failed, due } = night.counts
  const slow = slowestWords(rows)
  const isFine = missing + failed === 0 && slow.length === 0 && due > 0
  return {
    away: awayWords(night, outage, tz),
    counts: countWords(night, tz),
    more: isFine ? longestWords(rows) : slow,
  }
}

/** Returns `Last night`, `Tonight` or `The coming night`. @param now milliseconds since 1970 */
export function nightTitle({ from, until }: NightWindow, now: number): string {
  if (now >= until) return 'Last night'
  return now < from ? 'The coming night' : 'Tonight'
}

function awayWords({ window }: Night<unknown>, outage: Stretch | null, tz: string): string {
  if (outage === null) return ''
  const [from, until] = [Math.max(window.from, outage.from), Math.min(window.until, outage.until)]
  return until - from < AWAY_FROM ? '' : `Overdue had an outage from ${clockOf(from, tz)} to ${clockOf(until, tz)}.`
}

function countWords({ counts, window }: Night<unknown>, tz: string): string {
  const { due, ran, running, open, missing, failed } = counts
  if (due === 0) return `Nothing was due between ${clockOf(window.from, tz)} and ${clockOf(window.until, tz)}.`
  if (open === due) return `${open.toLocaleString('en')} to come.`
  if (ran === due) return due === 1 ? 'The only check that was due ran.' : `All ${due.toLocaleString('en')} ran.`
  const going = [
    `${ran.toLocaleString('en')} of ${due.toLocaleString('en')} ran`,
    ...(running > 0 ? [`${running} ${running === 1 ? 'is' : 'are'} running`] : []),
    ...(open > 0 ? [`${open} to come`] : []),
  ]
  return `${going.join(', ')}${wrongWords({ missing, failed })}.`
}

function wrongWords({ missing, failed }: Pick<NightCounts, 'missing' | 'failed'>): string {
  const words = [...(missing > 0 ? [`${missing} missing`] : []), ...(failed > 0 ? [`${failed} failed`] : [])]
  return words.length === 0 ? '' : `; ${words.join(', ')}`
}

function slowestWords(rows: readonly JudgedRow[]): Sentence {
  let worst: { readonly row: JudgedRow; readonly percent: number } | null = null
  for (const { row, run } of timedRuns(rows)) {
    if (!isLonger(run) || row.usual === null || run.ended - run.began < row.usual + SLOWER_BY) continue
    const percent = percentLonger(run, row.usual)
    if (percent >= SLOWER_BY_PERCENT && percent > (worst?.percent ?? 0)) worst = { row, percent }
  }
  return worst === null ? [] : [{ name: nameOf(worst.row) }, ` took ${worst.percent} % longer than usual.`]
}

/** Whether the run's row also says that the run took longer than usual. */
function isLonger({ kind }: PlotRun): boolean {
  return kind === 'slow' || kind === 'late'
}

function longestWords(rows: readonly JudgedRow[]): Sentence {
  const length = ({ run }: { readonly run: PlotRun }) => run.ended - run.began
  const [longest] = timedRuns(rows).toSorted((a, b) => length(b) - length(a))
  if (longest === undefined || length(longest) < MINUTE) return []
  return ['The longest: ', { name: nameOf(longest.row) }, `, ${durationWords(length(longest) / 1_000)}.`]
}

function timedRuns(rows: readonly JudgedRow[]) {
  return rows.flatMap((row) => row.slots.flatMap(({ run }) => (run?.isTimed && isGood(run) ? [{ row, run }] : [])))
}

/**
 * Returns a sentence such as `Muted: Shop backup from 22:00 to 02:00 by Ann: ‘Replacing the disk.’`, or one that begins with `Muted: 12
 * checks from …` if several checks were muted.
 */
export function mutedSentence(muted: MutedTogether): Sentence {
  const { first, rows } = muted
  const who = rows === 1 ? { name: nameOf(first) } : `${rows.toLocaleString('en')} checks`
  return ['Muted: ', who, ' ', ...mutedStretchWords(muted)]
}

export function nameOf({ check }: Pick<NightRow, 'check'>): string {
  return check.name === '' ? 'a check without a name' : check.name
}
