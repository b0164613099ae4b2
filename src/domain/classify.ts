/** Signal + settings of the check → the kind of ping it is. */
import type { WatchedCheck } from './check.ts'
import { containsKeyword } from './keywords.ts'
import type { MailText, PingKind, Signal } from './signal.ts'

/**
 * Order of the rules (behaviour of the peer, 2.6 and 6): a paused check with manual resume ignores everything; a method
 * that is not allowed is ignored; keyword filtering replaces whatever the URL said; else the URL decides. A mail has no
 * method and filters of its own.
 */
export function classify(check: WatchedCheck, signal: Signal): PingKind {
  if (check.status === 'paused' && check.manualResume) return 'ign'
  if (signal.mail) return classifyMail(check, signal.mail)
  if (check.methods === 'POST' && signal.method !== 'POST') return 'ign'
  if (check.filterHttpBody) return classifyText(check, bodyText(signal.searched), 'ign')
  return signal.action
}

function classifyMail(check: WatchedCheck, mail: MailText | 'unread'): PingKind {
  // A filter that was set while the mail came in counts from the next mail on.
  if (mail === 'unread') return 'success'
  const { subject, body } = mail
  const otherwise = check.mailDefaultSuccess ? 'success' : 'ign'
  if (check.filterSubject && check.filterBody) return classifyText(check, `${subject}\n${body}`, otherwise)
  if (check.filterSubject) return classifyText(check, subject, otherwise)
  return check.filterBody ? classifyText(check, body, otherwise) : 'success'
}

/**
 * Failure before success before start, then the policy for "no keyword found".
 * @param otherwise that policy, unless the check wants a failure
 */
function classifyText(check: WatchedCheck, text: string, otherwise: PingKind): PingKind {
  if (containsKeyword(text, check.failureKw)) return 'fail'
  if (containsKeyword(text, check.successKw)) return 'success'
  if (containsKeyword(text, check.startKw)) return 'start'
  return check.filterDefaultFail ? 'fail' : otherwise
}

/** Keywords are looked for in that much of an HTTP body. */
export const SEARCHED_BYTES = 10_000
const lenient = new TextDecoder()

/** Bytes that are no UTF-8, a character cut in half included, become replacement characters and never an error. */
function bodyText(searched: Uint8Array | null): string {
  return searched === null ? '' : lenient.decode(searched.subarray(0, SEARCHED_BYTES))
}
