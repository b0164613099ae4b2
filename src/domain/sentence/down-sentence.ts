/** Sentences about a check that is down because no ping arrived, a run failed, or a run did not end. */
import { addSeconds, type Instant, isBefore, Temporal } from '../../lib/time.ts'
import type { FailureCause } from '../cause/failure-cause.ts'
import type { Failure, Trouble } from '../cause/trouble.ts'
import {
  NOTHING_UNCOUNTED,
  refusedSince,
  type Uncounted,
  uncountedHeadline,
  uncountedSentence,
  uncountedSentences,
} from '../cause/uncounted.ts'
import { type Check, startedAt } from '../check/check.ts'
import { expectedIfReadable } from '../check/status.ts'
import { periodInWords } from '../duration.ts'
import type { CheckView } from '../list/check-view.ts'
import { lastRunDuration } from '../ping/overlap.ts'
import { type Headline, join, quoteAtEnd, type Sentence, type SentenceRun } from '../words/sentence-parts.ts'

/** Maximum number of runs that callers pass. The check may have had more runs. */
const RUNS_GIVEN = 30

export function downSentence({ check, trouble, uncounted }: CheckView, runs: readonly SentenceRun[]): Sentence {
  if (trouble === null) return ['Down.']
  const lasting: Sentence = ['Down for ', { lasting: trouble.since }, '.']
  return join(whyDown(check, trouble, runs, uncounted), lasting, runningWords(check, trouble))
}

/** Says what failed, or what is missing and since when. Rows and cards show this sentence without the duration of the downtime. */
export function whyDown(
  check: Check,
  trouble: Trouble,
  runs: readonly SentenceRun[],
  uncounted: Uncounted = NOTHING_UNCOUNTED,
): Sentence {
  const broken = brokenRuns(runs)
  const arrived = uncountedSentences(check, uncounted)
  if (trouble.failure) return join(failureSentence(trouble.failure, broken), arrived)
  // The failed ping is no longer in the log.
  if (trouble.reason === 'fail') return join(['Failed.'], arrived)
  if (isEndless(check, trouble)) return join(dueWords(check, trouble), arrived)
  return silenceSentence(check, trouble, broken.missing, uncounted)
}

export function downHeadline({ check, trouble, uncounted }: CheckView, runs: readonly SentenceRun[]): Headline {
  if (trouble === null) return { lead: ['Down.'], detail: [] }
  const { since, failure } = trouble
  const { missing, failed } = brokenRuns(runs)
  const lead: Sentence = ['Down for ', { lasting: since }, ': ']
  if (failure) {
    const words = failedWords(failed)
    return {
      lead: [
        ...lead,
        words.charAt(0).toLowerCase() + words.slice(1),
        failed > 1 ? ', the last time ' : ' ',
        { at: failure.happenedAt },
        '.',
      ],
      detail: join(
        exitWords(failure),
        causeWords(failure),
        lastLineWords(failure),
        missingSince(missing),
        uncountedSentence(check, uncounted),
        runningWords(check, trouble),
      ),
    }
  }
  const ending = join(dueWords(check, trouble), runningWords(check, trouble))
  const arrived = isEndless(check, trouble) ? null : uncountedHeadline(check, uncounted)
  if (arrived) return { lead: [...lead, ...arrived.lead], detail: join(arrived.detail, ending) }
  const detail = join(lastPingWords(check), uncountedSentence(check, uncounted), ending)
  return { lead: [...lead, ...silenceReason(check, trouble, missing)], detail }
}

interface Broken {
  /** number of missing runs since the last ping */
  readonly missing: number
  /** number of consecutive failures before the missing runs */
  readonly failed: number
}

function brokenRuns(runs: readonly SentenceRun[]): Broken {
  const past = runs.filter(({ kind }) => kind !== 'running')
  const reported = past.findLastIndex(({ kind }) => kind !== 'missing') + 1
  const fine = past.slice(0, reported).findLastIndex(({ kind }) => kind !== 'failed') + 1
  return { missing: past.length - reported, failed: reported - fine }
}

/**
 * Returns sentences such as `Failed twice: exit status 2. Last line: ‘host key has changed’.` or, for an email, `Failed: ‘Backup FAILED’.
 * The keyword ‘FAILED’ is in the subject.`
 */
function failureSentence(failure: Failure, { failed, missing }: Broken): Sentence {
  const { cause, exitStatus } = failure
  const begin = failedWords(failed)
  const subject = cause?.subject ?? null
  const status = exitStatus === null ? '' : `: exit status ${exitStatus}`
  const lead: Sentence = subject === null ? [`${begin}${status}.`] : [`${begin}: `, ...quoteAtEnd(subject)]
  return join(lead, ruleWords(cause), lastLineWords(failure), missingSince(missing))
}

/** Returns details about the cause of a failure: the subject of the email, if there is one, and the rule that applied. */
function causeWords({ cause }: Failure): Sentence {
  const subject: Sentence = cause?.subject ? ['Subject: ', ...quoteAtEnd(cause.subject)] : []
  return join(subject, ruleWords(cause))
}

/** Returns a sentence such as `The keyword ‘FAILED’ is in the subject.` */
function ruleWords(cause: FailureCause | null): Sentence {
  const rule = cause?.rule
  if (!rule) return []
  if (rule.name === 'keyword') return ['The keyword ', { quote: rule.word }, ` is in the ${rule.part}.`]
  return [`No keyword is in the ${rule.searched}, so the ping counts as a failure.`]
}

function failedWords(times: number): string {
  if (times < 2) return 'Failed'
  return times === 2 ? 'Failed twice' : `Failed ${atLeast(times)} times in a row`
}

function exitWords({ exitStatus }: Failure): Sentence {
  return exitStatus === null ? [] : [`Exit status ${exitStatus}.`]
}

function lastLineWords({ lastLine }: Failure): Sentence {
  if (lastLine === null) return []
  return ['Last line: ', ...quoteAtEnd(lastLine)]
}

function missingSince(missing: number): Sentence {
  if (missing === 0) return []
  return [missing === 1 ? 'The run after it is missing.' : `The ${atLeast(missing)} runs after it are missing.`]
}

function silenceSentence(check: Check, trouble: Trouble, missing: number, uncounted: Uncounted): Sentence {
  const arrived = uncountedSentence(check, uncounted)
  const refused = refusedSince(check, uncounted)
  const silent = arrived.length > 0 ? arrived : noPingWords(check, refused.length > 0)
  return join(silent, refused, missing > 1 ? [`${missingWords(missing)}.`] : dueWords(check, trouble))
}

/** @param isRefused true if a ping arrived but was rejected */
function noPingWords({ lastPingAt }: Check, isRefused: boolean): Sentence {
  const words = isRefused ? 'No ping counted' : 'No ping'
  return lastPingAt === null ? [`${words} yet.`] : [`${words} since `, { clock: lastPingAt }, '.']
}

/** Returns the words that follow the duration, as in "Down for 5 h 12 min: no ping arrived." */
function silenceReason(check: Check, trouble: Trouble, missing: number): Sentence {
  if (isEndless(check, trouble)) return ['a run has not ended.']
  if (trouble.reason === 'fail') return ['a run failed.']
  if (missing > 1) return [`${missingWords(missing)}.`]
  const due = dueAt(check, trouble)
  return due === null ? ['no ping arrived.'] : ['the run due ', { at: due }, ' never reported.']
}

function missingWords(missing: number): string {
  return `${atLeast(missing)} runs in a row are missing`
}

function atLeast(runs: number): string {
  return runs < RUNS_GIVEN ? `${runs}` : `${RUNS_GIVEN} or more`
}

/** Returns a sentence such as `Due 03:30, one hour of grace ended 04:30.` Returns an empty one if it is unknown which run was due. */
function dueWords(check: Check, trouble: Trouble): Sentence {
  const start = isEndless(check, trouble) ? startedAt(check) : null
  const due = start ?? dueAt(check, trouble)
  if (due === null) return []
  const isWhole = Temporal.Instant.compare(addSeconds(due, check.graceSeconds), trouble.since) === 0
  // The grace time was different if there was a server outage, or if a user has changed it since then.
  const grace = isWhole ? `${graceWords(check)} of grace` : 'its grace time'
  const begin: Sentence = start ? ['Started ', { clock: due }, ' and has not ended, '] : ['Due ', { clock: due }, ', ']
  return [...begin, `${grace} ended `, { clock: trouble.since }, '.']
}

/** Formats the grace time, such as `one hour` or `30 minutes`. */
function graceWords({ graceSeconds }: Check): string {
  return periodInWords(graceSeconds).replace(/^1 (\w+)$/, 'one $1')
}

/** Returns the time at which the missing run was due; null if there was no ping before it or the schedule is invalid. */
function dueAt(check: Check, { since }: Trouble): Instant | null {
  const due = expectedIfReadable({ ...check, status: 'up' })
  // If the schedule was changed later, its run may be due after the check went down.
  return due !== null && isBefore(due, since) ? due : null
}

/** Whether the check went down because a run did not end in time. */
function isEndless({ lastStartAt }: Check, { since }: Trouble): boolean {
  return lastStartAt !== null && isBefore(lastStartAt, since)
}

/** Describes a run that began after the check went down. */
function runningWords(check: Check, trouble: Trouble): Sentence {
  const began = startedAt(check)
  return began === null || isEndless(check, trouble) ? [] : ['Running since ', { clock: began }, '.']
}

function lastPingWords(check: Check): Sentence {
  const { lastPingAt } = check
  if (lastPingAt === null) return []
  const lastDuration = lastRunDuration(check)
  const after: Sentence = lastDuration === null ? [] : [', after ', { took: lastDuration / 1_000_000 }]
  return ['Last ping ', { clock: lastPingAt }, ...after, '.']
}
