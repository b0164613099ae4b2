/** Describes a check's problem in a few words: what is missing and since when, what was last reported, and what happens next. */
import type { Instant } from '../../lib/time.ts'
import { doubtOf } from '../advice/doubt.ts'
import { adviceSentence } from '../advice/sentence.ts'
import { refusedSentence } from '../cause/refused.ts'
import { refusedSince, uncountedHeadline, uncountedSentence, uncountedSentences } from '../cause/uncounted.ts'
import { type Check, startedAt } from '../check/check.ts'
import { endsWithPause } from '../check/run-history.ts'
import { deadline } from '../check/status.ts'
import { usualWords } from '../check/usual-duration.ts'
import type { CheckView } from '../list/check-view.ts'
import { type Headline, join, type Pause, type Sentence, type SentenceRun } from '../words/sentence-parts.ts'
import { downHeadline, downSentence } from './down-sentence.ts'

export type { Headline, Pause, Sentence, SentenceRun } from '../words/sentence-parts.ts'

/**
 * Returns a line for a row or a card; null if there is nothing to say. Problems with the check's settings are mentioned last.
 * @param runs the last 30 runs, newest last, including those that are currently missing
 */
export function sentenceOf(view: CheckView, runs: readonly SentenceRun[]): Sentence | null {
  const sentence = join(stateSentence(view, runs), doubtSentence(view))
  return sentence.length === 0 ? null : sentence
}

/** Returns the line without problems that concern the check's settings. */
function stateSentence(view: CheckView, runs: readonly SentenceRun[]): Sentence {
  const { state, check, uncounted } = view
  switch (state) {
    case 'down':
      return downSentence(view, runs)
    case 'late':
      return join(lateWords(view), refusedSince(check, uncounted), alertsWords(view))
    case 'started':
      return join(slowSentence(view), uncountedSentences(check, uncounted))
    case 'new':
      return join(resumedWords(view), uncountedSentences(check, uncounted))
    default:
      return []
  }
}

/**
 * Returns a sentence if the job could fail without an alert; otherwise an empty one. If the check is late and another sentence already says
 * that no one is alerted, also returns an empty one.
 */
function doubtSentence({ advice, state }: CheckView): Sentence {
  if (advice === null || doubtOf(advice) === null) return []
  const isSaid = state === 'late' && advice.kind === 'untold' && advice.variant === 'none'
  return isSaid ? [] : adviceSentence(advice, false)
}

/**
 * Returns the lines at the top of the check's page, in any state. The last lines are about requests that were rejected in the past day.
 * @param runs the last 30 runs, newest last, including those that are currently missing
 * @param recovery the recovery, if the last ping ended a downtime
 */
export function headlineOf(view: CheckView, runs: readonly SentenceRun[], recovery: Recovery | null = null): Headline {
  const { lead, detail } = stateHeadline(view, runs, recovery)
  const { refused } = view.uncounted
  return { lead, detail: join(detail, refused === null ? [] : refusedSentence(refused)) }
}

function stateHeadline(view: CheckView, runs: readonly SentenceRun[], recovery: Recovery | null): Headline {
  const { check, state, expected, uncounted } = view
  switch (state) {
    case 'down':
      return downHeadline(view, runs)
    case 'late':
      return { lead: lateWords(view), detail: join(alertsWords(view), lastPingWords(check)) }
    case 'started':
      return runningHeadline(view, join(uncountedSentence(check, uncounted), alertsWords(view, ', unless it ends')))
    case 'up':
      return { lead: recovery ? upAgainWords(recovery.downtime) : ['Up.'], detail: nextPingWords(expected) }
    case 'new':
      return newHeadline(view)
    case 'paused':
      return { lead: pausedWords(view.pause), detail: join(uncountedSentence(check, uncounted), [resumeWords(check)]) }
  }
}

/** Describes a run that is taking longer than usual. Returns an empty sentence for any other run, or if the usual duration is unknown. */
function slowSentence(running: CheckView): Sentence {
  const began = startedAt(running.check)
  if (began === null || !running.isSlow) return []
  return ['Started ', { clock: began }, '. ', ...usualSentence(running)]
}

/** @param next says what will happen if the run does not end */
function runningHeadline(running: CheckView, next: Sentence): Headline {
  const began = startedAt(running.check)
  if (began === null) return { lead: ['Running.'], detail: next }
  return {
    lead: ['Running for ', { lasting: began }, ', since ', { clock: began }, '.'],
    detail: join(usualSentence(running), next),
  }
}

/** Returns a sentence such as `Longer than usual: 52 min to 1 h 1 min.` */
function usualSentence({ usual, isSlow }: CheckView): Sentence {
  return usual === null ? [] : [`${isSlow ? 'Longer than usual' : 'Usually'}: ${usualWords(usual)}.`]
}

function newHeadline(view: CheckView): Headline {
  const { check, uncounted } = view
  if (view.isResumed) return { lead: resumedWords(view), detail: uncountedSentence(check, uncounted) }
  const arrived = uncountedHeadline(check, uncounted)
  if (arrived)
    return {
      lead: ['New: ', ...arrived.lead],
      detail: join(arrived.detail, ['Monitoring starts with the first ping that counts.']),
    }
  const isRefused = uncounted.refused !== null
  return {
    lead: [isRefused ? 'New: no ping counted yet.' : 'New: no ping yet.'],
    detail: [
      isRefused ? 'Monitoring starts with the first ping that counts.' : 'Monitoring starts with the first ping.',
    ],
  }
}

/**
 * Returns sentences such as `Resumed 2 min ago. Not monitored until the next ping arrives.` Returns an empty one if the check was not
 * resumed.
 */
function resumedWords({ isResumed, resumedAt }: CheckView): Sentence {
  if (!isResumed) return []
  return [
    'Resumed',
    ...(resumedAt === null ? [] : [' ', { ago: resumedAt }]),
    '. Not monitored until the next ping arrives.',
  ]
}

/** Returns the text to show if there is no last ping, or if the check was resumed and no longer has the time of its last ping. */
export function noPingWords({ check, uncounted }: Pick<CheckView, 'check' | 'uncounted'>): string {
  if (uncounted.pings !== null) return 'none counted'
  return endsWithPause(check.runs) && check.nPings > 0 ? 'before the pause' : 'never'
}

export interface Recovery {
  /** duration of the downtime, in seconds; null if it is no longer known */
  readonly downtime: number | null
}

/** Returns a sentence such as `Up again after 2 h 10 min.` */
export function upAgainWords(downtime: number | null): Sentence {
  return downtime === null ? ['Up again.'] : ['Up again after ', { took: downtime }, '.']
}

/**
 * Returns a sentence such as `Next ping due in 21 h, tomorrow at 09:00.`
 * @param expected null if the schedule has ended
 * @param isKept true if the text won't be updated later, so the remaining time is omitted
 */
export function nextPingWords(expected: Instant | null, isKept = false): Sentence {
  if (expected === null) return ['No further run is scheduled.']
  const inTime: Sentence = isKept ? [] : [{ ago: expected }, ', ']
  return ['Next ping due ', ...inTime, { at: expected }, '.']
}

function pausedWords(pause: Pause | null): Sentence {
  if (pause === null) return ['Paused.']
  return ['Paused', ...pauserWords(pause), ' ', { at: pause.at }, '.']
}

/** Returns a phrase such as ` by ann@example.org`; empty if unknown. */
export function pauserWords({ by }: Pause): Sentence {
  switch (by?.kind) {
    case undefined:
      return []
    case 'person':
      return [' by ', { name: by?.name ?? '' }]
    case 'key':
      return [' by an API key']
    case 'command':
      return [' by a command']
  }
}

/** Explains how a pause ends, such as `A ping resumes it.` */
export function resumeWords({ manualResume }: Pick<Check, 'manualResume'>): string {
  return manualResume ? 'It stays paused until you resume it.' : 'A ping resumes it.'
}

/** Returns sentences such as `Due 09:00, no ping yet.` or `Due 09:00, running since 08:55. Longer than usual: 5 to 6 min.` */
function lateWords(view: CheckView): Sentence {
  const { check, expected, uncounted } = view
  const began = startedAt(check)
  const due: Sentence = expected === null ? ['Due'] : ['Due ', { clock: expected }]
  const arrived = uncountedSentence(check, uncounted)
  if (began !== null) return join([...due, ', running since ', { clock: began }, '.'], usualSentence(view), arrived)
  return arrived.length === 0 ? [...due, ', no ping yet.'] : join([...due, '.'], arrived)
}

/** Returns a sentence such as `Alerts are sent at 10:00, in 18 min.` Returns an empty one if the check has no deadline. */
function alertsWords({ check, expected, channelIds, advice }: CheckView, unless = ''): Sentence {
  const end = deadline(check, expected)
  if (end === null) return []
  const when: Sentence = [{ at: end }, ', ', { ago: end }, unless]
  const isUntold = channelIds.length === 0 || doubtOf(advice) === 'untold'
  return isUntold ? ['It goes down ', ...when, '; no one is alerted.'] : ['Alerts are sent ', ...when, '.']
}

function lastPingWords({ lastPingAt }: Check): Sentence {
  return lastPingAt === null ? [] : ['Last ping ', { clock: lastPingAt }, '.']
}
