/** Decides from the signal and the check's settings what kind of ping it is. */
import type { WatchedCheck } from '../check/check.ts'
import { containsKeyword } from './keywords.ts'
import type { MailText, PingKind, Signal } from './signal.ts'

/**
 * The rules, in Healthchecks' order: a paused check with manual resume ignores everything; a method that is not allowed is
 * ignored; keyword filters override the URL; otherwise the URL decides. An email has no method, and has filters of its own.
 */
export function classify(check: WatchedCheck, signal: Signal): PingKind {
  if (check.status === 'paused' && check.manualResume) return 'ign'
  if (signal.mail) return classifyMail(check, signal.mail)
  if (check.methods === 'POST' && signal.method !== 'POST') return 'ign'
  if (check.filterHttpBody) return classifyText(check, bodyText(signal.searched), 'ign')
  return signal.action
}

function classifyMail(check: WatchedCheck, mail: MailText | 'unread'): PingKind {
  // A filter that was set while the email was being read applies from the next one on.
  if (mail === 'unread') return 'success'
  const { subject, body } = mail
  const otherwise = check.mailDefaultSuccess ? 'success' : 'ign'
  if (check.filterSubject && check.filterBody) return classifyText(check, `${subject}\n${body}`, otherwise)
  if (check.filterSubject) return classifyText(check, subject, otherwise)
  return check.filterBody ? classifyText(check, body, otherwise) : 'success'
}

/**
 * Failure takes precedence over success, and success over start.
 * @param otherwise the kind when no keyword is found, unless the check wants a failure
 */
function classifyText(check: WatchedCheck, text: string, otherwise: PingKind): PingKind {
  if (containsKeyword(text, check.failureKw)) return 'fail'
  if (containsKeyword(text, check.successKw)) return 'success'
  if (containsKeyword(text, check.startKw)) return 'start'
  return check.filterDefaultFail ? 'fail' : otherwise
}

/** How much of an HTTP body is searched for keywords. */
export const SEARCHED_BYTES = 10_000
const lenient = new TextDecoder()

/** Invalid UTF-8, such as a character cut in half, becomes replacement characters and never an error. */
function bodyText(searched: Uint8Array | null): string {
  return searched === null ? '' : lenient.decode(searched.subarray(0, SEARCHED_BYTES))
}
