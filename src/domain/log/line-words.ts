/** Text for log lines: the event and its details. */
import type { Instant } from '../../lib/time.ts'
import { durationWords } from '../../lib/time-words.ts'
import type { Flip } from '../check/flip.ts'
import type { IgnoringRule } from '../ping/classify.ts'
import type { PingKind } from '../ping/signal.ts'
import { isRunKind, type LogEntry } from './log-entry.ts'
import type { TimelineLine, TimelinePing } from './log-timeline.ts'

export interface LineWords {
  readonly what: string
  /** details of the event; '' if there are none */
  readonly words: string
}

export const PING_WORDS: Readonly<Record<PingKind, string>> = {
  success: 'OK',
  fail: 'Failed',
  start: 'Start',
  log: 'Log',
  ign: 'Ignored',
}

const IGNORED_BY: Readonly<Record<Exclude<IgnoringRule, 'method'>, string>> = {
  pause: 'the check was paused',
  'no-keyword': 'no keyword was found',
}

/** Returns the reason why a ping was ignored; '' if it was not ignored, or if the reason is unknown. */
export function ignoredWords({ ignoredBy, method }: Pick<LogEntry, 'ignoredBy' | 'method'>): string {
  if (ignoredBy === null) return ''
  return ignoredBy === 'method' ? `sent by ${method}` : IGNORED_BY[ignoredBy]
}

/**
 * Returns a phrase such as `ran 03:12, arrived 05:40`; '' if the ping was not late.
 * @param clock formats a time, including the day if it differs
 */
export function latePingWords(
  { kind, occurredAt, receivedAt }: Pick<LogEntry, 'kind' | 'occurredAt' | 'receivedAt'>,
  clock: (at: Instant) => string,
): string {
  if (occurredAt === null) return ''
  const what = kind === 'start' ? 'started' : isRunKind(kind) ? 'ran' : 'happened'
  return `${what} ${clock(occurredAt)}, arrived ${clock(receivedAt)}`
}

/** @param since microseconds since the previous flip; null if unknown */
export function flipWords({ oldStatus, newStatus, reason }: Flip, since: number | null): LineWords {
  const span = since === null || since < 0 ? null : durationWords(since / MICROSECONDS)
  switch (newStatus) {
    case 'down': {
      const words = reason === 'timeout' ? 'no ping within the grace time' : 'the job reported a failure'
      return { what: 'Went down', words }
    }
    case 'up':
      return { what: 'Went up', words: upWords(oldStatus, span) }
    case 'paused':
      return { what: 'Paused', words: 'until it is resumed or pinged' }
    case 'new':
      return { what: 'Resumed', words: span === null ? '' : `after ${span}` }
  }
}

function upWords(oldStatus: Flip['oldStatus'], span: string | null): string {
  if (oldStatus === 'new') return 'monitoring started'
  if (span === null) return ''
  return oldStatus === 'paused' ? `after a pause of ${span}` : `after ${span}`
}

type AbsentLine = Exclude<TimelineLine<TimelinePing>, { readonly kind: 'ping' | 'flip' }>

/**
 * Describes runs that were expected but did not happen.
 * @param clock formats the time of the newest run in a series of missing runs
 */
export function absentWords(line: AbsentLine, clock: (at: AbsentLine['at']) => string): LineWords {
  switch (line.kind) {
    case 'missing':
      return { what: 'Missing', words: 'expected here, no ping arrived' }
    case 'late':
      return { what: 'Late', words: `expected here, arrived after ${durationWords(line.delay / MICROSECONDS)}` }
    case 'more': {
      const number = `and ${line.isAtLeast ? 'more than ' : ''}${line.count.toLocaleString('en')} more`
      return { what: `${number}${line.isAtLeast ? '' : ` until ${clock(line.at)}`}`, words: '' }
    }
  }
}

const MICROSECONDS = 1_000_000
