/**
 * Decides what kind of ping a signal is, and which of the check's rules determined that. `http/web/pages/check-forms/rules/trial.ts`
 * explains the rule on pages. `domain/cause/uncounted.ts` and `http/web/parts/log-lines.ts` explain why a ping was ignored.
 */
import type { WatchedCheck } from '../check/check.ts'
import { startText } from './body-text.ts'
import { type FoundKeyword, findKeyword } from './keywords.ts'
import type { Action, MailText, PingKind, Signal } from './signal.ts'

/** The check settings that determine how signals are classified. */
export type PingRules = Pick<
  WatchedCheck,
  | 'status'
  | 'manualResume'
  | 'methods'
  | 'startKw'
  | 'successKw'
  | 'failureKw'
  | 'filterSubject'
  | 'filterBody'
  | 'filterHttpBody'
  | 'filterDefaultFail'
  | 'mailDefaultSuccess'
>

/** The parts of a signal that are used to classify it. */
type JudgedSignal = Pick<Signal, 'action' | 'method' | 'searched' | 'contentType' | 'mail' | 'silence'>

export type Verdict =
  | { readonly kind: 'ign'; readonly by: { readonly name: IgnoringRule } }
  | { readonly kind: Action; readonly by: Rule }

/**
 * The rule that applied. `pause`: the check is paused, and only a user can resume it. `method`: the request method is not allowed.
 * `keyword`: a keyword was found. `no-keyword`: no keyword was found. `email`: the check does not search emails. `url`: the ping URL
 * decided.
 */
type Rule = { readonly name: IgnoringRule | 'email' | 'url' } | KeywordRule

/** Rules that can cause pings to be ignored. */
export const IGNORING_RULES = ['pause', 'method', 'no-keyword'] as const
export type IgnoringRule = (typeof IGNORING_RULES)[number]

export interface KeywordRule extends FoundKeyword {
  readonly name: 'keyword'
  /** the part in which the keyword was found; always `body` for an HTTP ping */
  readonly part: 'subject' | 'body'
}

/** Verdicts are shared, so that no object has to be created for most pings. */
const PAUSED: Verdict = { kind: 'ign', by: { name: 'pause' } }
const OTHER_METHOD: Verdict = { kind: 'ign', by: { name: 'method' } }
const ANY_EMAIL: Verdict = { kind: 'success', by: { name: 'email' } }
const BY_URL: Readonly<Record<Signal['action'], Verdict>> = {
  success: { kind: 'success', by: { name: 'url' } },
  start: { kind: 'start', by: { name: 'url' } },
  fail: { kind: 'fail', by: { name: 'url' } },
  log: { kind: 'log', by: { name: 'url' } },
}
const WITHOUT_KEYWORD = {
  fail: { kind: 'fail', by: { name: 'no-keyword' } },
  success: { kind: 'success', by: { name: 'no-keyword' } },
  ign: { kind: 'ign', by: { name: 'no-keyword' } },
} as const satisfies Partial<Record<PingKind, Verdict>>

/**
 * Applies the rules in the same order as Healthchecks. If a check is paused and can only be resumed manually, every ping is ignored. A ping
 * whose method is not allowed is ignored. Keyword filters override the URL unless the URL requests a silence. Otherwise, the URL decides.
 * Emails have no method, and they have their own filters.
 */
export function classify(rules: PingRules, signal: JudgedSignal): Verdict {
  if (rules.status === 'paused' && rules.manualResume) return PAUSED
  if (signal.mail) return classifyMail(rules, signal.mail)
  if (rules.methods === 'POST' && signal.method !== 'POST') return OTHER_METHOD
  if (rules.filterHttpBody && signal.silence === undefined) {
    return classifyText(rules, { text: searchedText(signal), bodyAt: 0 }, WITHOUT_KEYWORD.ign)
  }
  return BY_URL[signal.action]
}

function classifyMail(rules: PingRules, mail: MailText | 'unread'): Verdict {
  // If a user adds a filter while the email is being read, the filter first applies to the next email.
  if (mail === 'unread') return ANY_EMAIL
  const { subject, body } = mail
  const otherwise = rules.mailDefaultSuccess ? WITHOUT_KEYWORD.success : WITHOUT_KEYWORD.ign
  if (rules.filterSubject && rules.filterBody) {
    return classifyText(rules, { text: `${subject}\n${body}`, bodyAt: subject.length + 1 }, otherwise)
  }
  if (rules.filterSubject) return classifyText(rules, { text: subject, bodyAt: Number.POSITIVE_INFINITY }, otherwise)
  return rules.filterBody ? classifyText(rules, { text: body, bodyAt: 0 }, otherwise) : ANY_EMAIL
}

interface SearchedText {
  readonly text: string
  /** index in `text` at which the body begins, after the subject */
  readonly bodyAt: number
}

/**
 * Classifies text by the keywords that it contains. Failure takes precedence over success, and success over start.
 * @param otherwise the verdict if no keyword is found, unless the check's rules treat that as a failure
 */
function classifyText(rules: PingRules, searched: SearchedText, otherwise: Verdict): Verdict {
  const { text } = searched
  const failure = findKeyword(text, rules.failureKw)
  if (failure) return byKeyword('fail', failure, searched)
  const success = findKeyword(text, rules.successKw)
  if (success) return byKeyword('success', success, searched)
  const start = findKeyword(text, rules.startKw)
  if (start) return byKeyword('start', start, searched)
  return rules.filterDefaultFail ? WITHOUT_KEYWORD.fail : otherwise
}

function byKeyword(kind: Action, { word, at }: FoundKeyword, { bodyAt }: SearchedText): Verdict {
  if (at < bodyAt) return { kind, by: { name: 'keyword', word, part: 'subject', at } }
  return { kind, by: { name: 'keyword', word, part: 'body', at: at - bodyAt } }
}

/** Number of bytes at the beginning of an HTTP body that are searched for keywords. */
export const SEARCHED_BYTES = 10_000

function searchedText({ searched, contentType }: Pick<Signal, 'searched' | 'contentType'>): string {
  if (searched === null) return ''
  return startText({ bytes: searched.subarray(0, SEARCHED_BYTES), size: searched.length, contentType })
}
