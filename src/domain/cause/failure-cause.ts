/** Determines why a ping counts as a failure, based on its log entry and the check's rules. */
import { oneLine, within } from '../../lib/text/text.ts'
import { classify, type PingRules, SEARCHED_BYTES } from '../ping/classify.ts'
import type { MailText } from '../ping/signal.ts'
import { withoutPingSecrets } from '../redaction.ts'

export interface FailureCause {
  /** decoded email subject as a single line of at most 80 characters, without ping secrets and not escaped; null if there is no subject */
  readonly subject: string | null
  /** rule that turned the ping into a failure; null: the ping URL signalled the failure, or the rule is unknown */
  readonly rule: FailureRule | null
}

/** The rules that can turn a ping into a failure. `text` is the text of an email, `body` the body of a request. */
export type FailureRule =
  | { readonly name: 'keyword'; readonly word: string; readonly part: 'subject' | 'text' | 'body' }
  | { readonly name: 'no-keyword'; readonly searched: 'subject' | 'text' | 'subject or the text' | 'body' }

/** A logged ping that reported a failure. */
export interface LoggedFailure {
  readonly method: string
  /** the part of the email's text that was read; null for a request */
  readonly mail: MailText | null
  /** the part of the request's body that was searched or logged; null if there is none */
  readonly body: Uint8Array | null
  /** media type of the body; see `readingType` */
  readonly contentType: string | null
  /** false: the email or the body is longer than the part in `mail` or `body` */
  readonly isWhole: boolean
}

const TEXT_LIMIT = 80

/** Whether the check's rules can turn a ping into a failure although its URL does not signal one. */
export function canFailByRule({ filterSubject, filterBody, filterHttpBody }: PingRules): boolean {
  return filterSubject || filterBody || filterHttpBody
}

/** @param rules the check's current rules; if a rule has been changed so that it no longer applies to the ping, the cause is unknown */
export function causeOf(rules: PingRules, failure: LoggedFailure): FailureCause {
  const { mail } = failure
  const subject = mail === null ? '' : oneLine(withoutPingSecrets(mail.subject)).trim()
  return { subject: subject === '' ? null : within(subject, TEXT_LIMIT), rule: ruleOf(rules, failure) }
}

/** Number of bytes that {@link causeOf} needs from a request's body. */
export const CAUSE_BYTES = SEARCHED_BYTES

function ruleOf(rules: PingRules, { method, mail, body, contentType, isWhole }: LoggedFailure): FailureRule | null {
  // The check may have been paused since the ping.
  const { kind, by } = classify(
    { ...rules, status: 'up' },
    { action: 'fail', method, mail, searched: body, contentType },
  )
  if (kind !== 'fail') return null
  if (by.name === 'keyword') {
    const text = mail === null ? 'body' : 'text'
    return {
      name: 'keyword',
      word: within(oneLine(by.word), TEXT_LIMIT),
      part: by.part === 'subject' ? 'subject' : text,
    }
  }
  if (by.name !== 'no-keyword' || !isWhole) return null
  return { name: 'no-keyword', searched: mail === null ? 'body' : searchedOf(rules) }
}

function searchedOf({ filterSubject, filterBody }: PingRules): 'subject' | 'text' | 'subject or the text' {
  if (filterSubject && filterBody) return 'subject or the text'
  return filterSubject ? 'subject' : 'text'
}
