/** Reads a ping of the log again, by rules that are tried. It is judged by the same function as when it came. */
import { classify, type PingRules } from './classify.ts'
import type { Ping } from './ping.ts'
import type { MailText, PingKind } from './signal.ts'

/** The part of an entry of the log that rules look at. */
export interface KeptPing extends Pick<Ping, 'kind' | 'ignoredBy' | 'method' | 'contentType'> {
  /** the beginning of the body of an HTTP ping; null without one, and for an email */
  readonly searched: Uint8Array | null
  /** null for an HTTP ping */
  readonly mail: MailText | null
}

/**
 * Its kind by the tried rules. Null where that would be for its URL to say, which is not kept of a ping that was ignored, or that was judged
 * by its body. What came while the check was paused stays ignored: no rule that is tried undoes that pause.
 */
export function rereadPing(ping: KeptPing, present: PingRules, tried: PingRules): PingKind | null {
  if (ping.ignoredBy === 'pause') return 'ign'
  const action = ping.kind === 'ign' ? null : ping.kind
  const { kind, by } = classify({ ...tried, status: 'up' }, { ...ping, action: action ?? 'success' })
  const isKept = action !== null && !present.filterHttpBody
  return by.name === 'url' && !isKept ? null : kind
}
