/** The strip, which shows a check's last runs in lists and on cards. */
import type { Instant } from '../../lib/time.ts'
import type { WatchedCheck } from '../check/check.ts'
import { missingRuns } from '../check/punctuality.ts'
import { RUNS_KEPT, type RunMark, runMarks } from '../check/run-history.ts'
import { expectedIfReadable } from '../check/status.ts'

const MISSING: RunMark = { kind: 'missing', duration: null }
const RUNNING: RunMark = { kind: 'running', duration: null }

/**
 * Returns the recorded runs, followed by the runs that have been missing since then and by the current run. Returns at most {@link
 * RUNS_KEPT}, newest last.
 * @param expected see `statusAt`
 */
export function stripOf(check: WatchedCheck, now: Instant, expected = expectedIfReadable(check)): readonly RunMark[] {
  const marks = runMarks(check.runs)
  const missing = missingRuns(check, now, expected)
  for (let count = 0; count < missing; count++) marks.push(MISSING)
  if (check.lastStartAt !== null) marks.push(RUNNING)
  return marks.length > RUNS_KEPT ? marks.slice(-RUNS_KEPT) : marks
}

/** Letters for runs that were on time, from the lowest bar to the highest. */
const ON_TIME_LETTERS = 'abcdefghijklmnop'
const LATE_LETTERS = ON_TIME_LETTERS.toUpperCase()
const HEIGHTS = ON_TIME_LETTERS.length
const OTHERS = { missing: '0', failed: '1', running: '2', paused: '3' } as const

/**
 * Returns one character per mark: `a`–`p` for a run that was on time, where the letter represents its duration relative to the longest run
 * in the strip; `A`–`P` for a late run; `0` for missing, `1` for failed, `2` for running, `3` for paused. A run of unknown duration gets
 * half the maximum height.
 */
export function stripText(marks: readonly RunMark[]): string {
  let longest = 1
  for (const { duration } of marks) if (duration !== null && duration > longest) longest = duration
  let text = ''
  for (const { kind, duration } of marks) {
    if (kind !== 'ok' && kind !== 'late') {
      text += OTHERS[kind]
      continue
    }
    const height = duration === null ? HEIGHTS / 2 : Math.ceil((duration / longest) * HEIGHTS)
    text += (kind === 'ok' ? ON_TIME_LETTERS : LATE_LETTERS)[height - 1]
  }
  return text
}

/** Returns a phrase such as `2 missing, 1 failed`; `ok` if all runs went well; empty if there are no runs. */
export function stripWords(marks: readonly RunMark[]): string {
  if (marks.length === 0) return ''
  let [missing, failed, late] = [0, 0, 0]
  for (const { kind } of marks) {
    if (kind === 'missing') missing += 1
    else if (kind === 'failed') failed += 1
    else if (kind === 'late') late += 1
  }
  if (missing + failed + late === 0) return 'ok'
  const counted = [missing > 0 && `${missing} missing`, failed > 0 && `${failed} failed`, late > 0 && `${late} late`]
  return counted.filter((part) => part !== false).join(', ')
}
