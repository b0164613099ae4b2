/** Signal + settings of the check → the kind of ping it is. */
import type { Check } from './check.ts'
import { containsKeyword } from './keywords.ts'
import type { PingKind, Signal } from './signal.ts'

/**
 * Order of the rules (behaviour of the peer, 2.6): a paused check with manual resume ignores everything; a method that
 * is not allowed is ignored; keyword filtering replaces whatever the URL said; else the URL decides.
 */
export function classify(check: Check, signal: Signal): PingKind {
  if (check.status === 'paused' && check.manualResume) return 'ign'
  if (check.methods === 'POST' && signal.method !== 'POST') return 'ign'
  if (check.filterHttpBody) return classifyText(check, bodyText(signal.body))
  return signal.action
}

/** Failure before success before start, then the policy for "no keyword found". */
function classifyText(check: Check, text: string): PingKind {
  if (containsKeyword(text, check.failureKw)) return 'fail'
  if (containsKeyword(text, check.successKw)) return 'success'
  if (containsKeyword(text, check.startKw)) return 'start'
  return check.filterDefaultFail ? 'fail' : 'ign'
}

const KEYWORD_SEARCH_LIMIT = 10_000
const lenient = new TextDecoder()

/** Bytes that are no UTF-8, a character cut in half included, become replacement characters and never an error. */
function bodyText(body: Uint8Array | null): string {
  return body === null ? '' : lenient.decode(body.subarray(0, KEYWORD_SEARCH_LIMIT))
}
