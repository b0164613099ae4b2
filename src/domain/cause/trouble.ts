/** The reason why a check is down, as shown on pages. */
import { oneLine, within } from '../../lib/text/text.ts'
import type { Instant } from '../../lib/time.ts'
import type { FlipReason } from '../check/flip.ts'
import { type BodyPart, endText } from '../ping/body-text.ts'
import { happenedAt } from '../ping/occurred-at.ts'
import type { Ping } from '../ping/ping.ts'
import { withoutPingSecrets } from '../redaction.ts'
import type { FailureCause } from './failure-cause.ts'

/** A ping that reported a failure. */
export interface Failure {
  /** the ping's number */
  readonly n: number
  readonly exitStatus: number | null
  /** last line of the body, at most 80 characters, without ping secrets and not escaped; null if there is no text */
  readonly lastLine: string | null
  /** rule or subject that turned the ping into a failure; null: the ping URL signalled the failure, or the cause is unknown */
  readonly cause: FailureCause | null
  readonly happenedAt: Instant
}

export interface Trouble {
  /** when the check went down: its deadline or the time of the failure */
  readonly since: Instant
  readonly reason: FlipReason
  /** newest failure since then; null if there was none, or if it is no longer in the log */
  readonly failure: Failure | null
}

type EndedPing = Pick<Ping, 'kind' | 'n' | 'exitStatus' | 'receivedAt' | 'occurredAt' | 'scheme' | 'contentType'> & {
  /** the last {@link BODY_END_BYTES} bytes or more, or the complete body if it is shorter */
  readonly bodyEnd: Uint8Array | null
  /** size of the complete body, in bytes */
  readonly bodySize: number
}

/**
 * Describes a failed ping. Returns null if the ping did not report a failure. An email's last line is not used, because its body is the
 * complete message.
 */
export function failureOf(ping: EndedPing, cause: FailureCause | null): Failure | null {
  const { kind, n, exitStatus, scheme, bodyEnd, bodySize: size, contentType } = ping
  if (kind !== 'fail') return null
  const bytes = scheme === 'email' ? null : bodyEnd?.subarray(-BODY_END_BYTES)
  const line = bytes ? lastLine({ bytes, size, contentType }) : null
  return { n, exitStatus, happenedAt: happenedAt(ping), cause, lastLine: line }
}

const LINE_LIMIT = 80

/** Number of bytes at the end of a body that {@link lastLine} reads. */
export const BODY_END_BYTES = 1_024

/**
 * Returns the last line that contains a letter or a digit, to skip lines such as `-----`. If no line does, returns the last line. Removes
 * ping secrets, because read-only members see the line and some jobs print their ping URL.
 * @param end the last {@link BODY_END_BYTES} bytes of a body, or the complete body if it is shorter
 */
export function lastLine(end: BodyPart): string | null {
  const lines = endText(end)
    .split(/[\r\n]+/)
    .map(oneLine)
  const said = lines.findLastIndex((line) => /[\p{L}\p{N}]/u.test(line))
  const last = said < 0 ? lines.findLastIndex((line) => line !== '') : said
  const line = lines[last]
  if (line === undefined) return null
  // If the body was cut, the first word may be the end of a secret.
  const isCut = last === 0 && end.bytes.length >= BODY_END_BYTES
  return quotedLine(line, isCut ? 'end' : 'all')
}

/** Formats a line the way {@link lastLine} does. */
export function quotedLine(line: string, known: 'all' | 'end' = 'all'): string {
  return within(withoutPingSecrets(oneLine(line), known), LINE_LIMIT)
}
