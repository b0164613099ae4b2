/** Judges a logged ping again by trial rules, with the function that judged it on arrival. */
import { classify, type PingRules } from './classify.ts'
import type { Ping } from './ping.ts'
import type { MailText, PingKind } from './signal.ts'

/** The part of a log entry that rules examine. */
export interface KeptPing extends Pick<Ping, 'kind' | 'ignoredBy' | 'method' | 'contentType'> {
  /** the beginning of the body of an HTTP ping; null without a body, and for an email */
  readonly searched: Uint8Array | null
  /** null for an HTTP ping */
  readonly mail: MailText | null
}

/**
 * Returns the kind of a ping by the trial rules. Null if the ping's URL would decide: it is not stored for a ping that was ignored or that
 * was judged by its body. A ping that arrived during a pause remains ignored: no trial rule undoes that pause.
 */
export function rereadPing(ping: KeptPing, present: PingRules, tried: PingRules): PingKind | null {
  if (ping.ignoredBy === 'pause') return 'ign'
  const action = ping.kind === 'ign' ? null : ping.kind
  const { kind, by } = classify({ ...tried, status: 'up' }, { ...ping, action: action ?? 'success' })
  const isKept = action !== null && !present.filterHttpBody
  return by.name === 'url' && !isKept ? null : kind
}
