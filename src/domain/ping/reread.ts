/** Judges pings in the log again with trial rules, using the same function as when they arrived. */
import { classify, type PingRules } from './classify.ts'
import type { Ping } from './ping.ts'
import type { MailText, PingKind } from './signal.ts'

/** The part of a log entry that rules can examine. */
export interface KeptPing extends Pick<Ping, 'kind' | 'ignoredBy' | 'method' | 'contentType'> {
  /** beginning of the body of an HTTP ping; null if there is no body, and for an email */
  readonly searched: Uint8Array | null
  /** text of an email; null for an HTTP ping */
  readonly mail: MailText | null
}

/**
 * Returns the kind that a ping would have under the trial rules. Null if the URL would decide, because the log does not store the URL of a
 * ping that was ignored or judged by its body. A ping during a pause stays ignored, because no trial rule can undo that pause.
 */
export function rereadPing(ping: KeptPing, present: PingRules, tried: PingRules): PingKind | null {
  if (ping.ignoredBy === 'pause') return 'ign'
  const action = ping.kind === 'ign' ? null : ping.kind
  const { kind, by } = classify({ ...tried, status: 'up' }, { ...ping, action: action ?? 'success' })
  const isKept = action !== null && !present.filterHttpBody
  return by.name === 'url' && !isKept ? null : kind
}
