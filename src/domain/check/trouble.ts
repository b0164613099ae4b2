/** Why a check is down: what pages say about it. */
import { oneLine, within } from '../../lib/text.ts'
import type { Instant } from '../../lib/time.ts'
import { withoutPingSecrets } from '../redaction.ts'
import type { FlipReason } from './flip.ts'

/** A ping that reported a failure. */
export interface Failure {
  /** number of the ping */
  readonly n: number
  readonly exitStatus: number | null
  /** of its body, at most 80 characters on one line, not escaped, without what allows pings; null without a text */
  readonly lastLine: string | null
  readonly receivedAt: Instant
}

export interface Trouble {
  /** when the check went down: at its deadline, or with the failure */
  readonly since: Instant
  readonly reason: FlipReason
  /** the newest failure since then; null when there was none, and when the log no longer has it */
  readonly failure: Failure | null
}

const LINE_LIMIT = 80
const lenient = new TextDecoder()

/**
 * The last line with a visible character. Everybody who may see the check reads it, also in lists: it names no ping URL.
 * @param bodyEnd the last bytes of a body, as far as they are known @param isCut the body has more bytes before those
 */
export function lastLine(bodyEnd: Uint8Array | null, isCut = false): string | null {
  if (bodyEnd === null) return null
  const text = lenient.decode(bodyEnd)
  // The first word may be the end of a ping URL.
  const whole = isCut ? text.replace(/^\S+/, '…') : text
  const lines = whole.split(/[\r\n]+/).map(oneLine)
  const last = lines.findLast((line) => line !== '')
  return last === undefined ? null : within(withoutPingSecrets(last), LINE_LIMIT)
}
