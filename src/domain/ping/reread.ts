/** Classifies logged pings under trial rules, using the same function that classified them when they arrived. */
import { classify, type PingRules } from './classify.ts'
import type { Ping } from './ping.ts'
import type { MailText, PingKind } from './signal.ts'

/** The parts of a log entry that rules depend on. */
export interface KeptPing extends Pick<Ping, 'kind' | 'ignoredBy' | 'method' | 'contentType'> {
  /** beginning of an HTTP ping's body; null for an email, or if there is no body */
  readonly searched: Uint8Array | null
  /** an email's text; null for an HTTP ping */
  readonly mail: MailText | null
}

/**
 * Returns the kind that a ping would have under the trial rules. Returns null if the kind depends on a URL that is unknown: the log does
 * not store the URL of a ping that was ignored or classified by its body. A ping that arrived during a pause stays ignored, because trial
 * rules can't undo the pause.
 */
export function rereadPing(ping: KeptPing, present: PingRules, tried: PingRules): PingKind | null {
  if (ping.ignoredBy === 'pause') return 'ign'
  const action = ping.kind === 'ign' ? null : ping.kind
  const { kind, by } = classify({ ...tried, status: 'up' }, { ...ping, action: action ?? 'success' })
  const isKept = action !== null && !present.filterHttpBody
  return by.name === 'url' && !isKept ? null : kind
}
