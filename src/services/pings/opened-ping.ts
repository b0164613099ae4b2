/** Reads one logged ping, with either the part of its body that a page shows, or the original body. */
import { type Actor, may, requireRight } from '../../domain/actor.ts'
import type { FailureCause } from '../../domain/cause/failure-cause.ts'
import type { Check } from '../../domain/check/check.ts'
import { Refusal } from '../../domain/errors.ts'
import type { LogEntry } from '../../domain/log/log-entry.ts'
import { decodeStart, isBinary, startText } from '../../domain/ping/body-text.ts'
import { withoutPingSecrets } from '../../domain/redaction.ts'
import { READABLE_BYTES } from '../../lib/mime/decode.ts'
import type { LogLine } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { causeOfPing } from './failure-cause.ts'
import { type OpenedMail, readMail } from './opened-mail.ts'
import { findPingBody } from './pings.ts'
import { toEntry } from './timeline.ts'

export type OpenedBody =
  | { readonly kind: 'none' }
  /**
   * the body was dropped because the log was full; `bytes` is the size of the body, and `limit` is the maximum total size of a log's
   * bodies, in bytes
   */
  | { readonly kind: 'dropped'; readonly bytes: number; readonly limit: number }
  /** `isCut` is true if the body is longer than the text; `isBinary` is true if the body is not UTF-8 text */
  | { readonly kind: 'text'; readonly text: string; readonly isCut: boolean; readonly isBinary: boolean }
  | { readonly kind: 'email'; readonly mail: OpenedMail }

export interface OpenedPing {
  readonly entry: Omit<LogEntry, 'duration'>
  /** cause of a failure; null if the job itself reported the failure through the ping URL, or if the cause is unknown */
  readonly cause: FailureCause | null
  readonly body: OpenedBody
  /** false if the actor is not allowed to see the original body */
  readonly hasOriginal: boolean
}

/** Maximum number of bytes of a body to show on a page. This limit does not apply to the original body. */
const SHOWN_BYTES = 100_000

/**
 * Returns a ping. Ping URLs and keys are removed for read-only members.
 * @throws Refusal `not-found` if the ping is not in the visible part of the log
 */
export async function openPing(
  deps: Pick<Deps, 'store' | 'pingLogBytes' | 'eventLoop'>,
  actor: Actor,
  check: Check,
  n: number,
): Promise<OpenedPing> {
  requireRight(actor, 'read', check)
  const isKept = n > check.nPings - actor.project.pingLogLimit
  const line = isKept ? await deps.store.pings.findStart(check.id, n, READABLE_BYTES) : null
  if (line === null) throw new Refusal('not-found', 'the log holds no such ping')
  const { bodyStart: _, ...stored } = line
  const { duration: __, ...entry } = toEntry(may(actor, 'write'))({ ...stored, duration: null })
  const hasOriginal = line.bodySize > 0 && (line.scheme !== 'email' || may(actor, 'write'))
  const cause = await causeOfPing(check, { ...line, start: line.bodyStart, size: line.bodySize }, deps.eventLoop)
  return { entry, hasOriginal, cause, body: await bodyOf(deps, actor, line) }
}

async function bodyOf(
  { pingLogBytes, eventLoop }: Pick<Deps, 'pingLogBytes' | 'eventLoop'>,
  actor: Actor,
  { scheme, bodyStart, bodySize, droppedBytes, contentType }: LogLine,
): Promise<OpenedBody> {
  if (droppedBytes !== null) return { kind: 'dropped', bytes: droppedBytes, limit: pingLogBytes }
  if (bodyStart === null || bodySize === 0) return { kind: 'none' }
  const shown = may(actor, 'write') ? (text: string) => text : withoutPingSecrets
  if (scheme === 'email') return { kind: 'email', mail: await readMail(bodyStart, bodySize, shown, eventLoop) }
  const isCut = bodySize > SHOWN_BYTES
  const start = { bytes: bodyStart.subarray(0, SHOWN_BYTES), size: bodySize, contentType }
  return { kind: 'text', text: shown(startText(start), isCut ? 'start' : 'all'), isCut, isBinary: isBinary(start) }
}

interface Original {
  readonly bytes: Uint8Array
  readonly isEmail: boolean
}

/**
 * Returns the original body. Read-only members get only its text, without ping URLs and keys.
 * @throws Refusal `not-found` if the ping has no body, or if the body was dropped; `read-only` if a read-only member requests an email,
 * because the check's email address may be encoded in it
 */
export async function findOriginal(
  deps: Pick<Deps, 'store' | 'pingLogBytes'>,
  actor: Actor,
  check: Check,
  n: number,
): Promise<Original> {
  requireRight(actor, 'read', check)
  const line = await deps.store.pings.findStart(check.id, n, 0)
  const isEmail = line?.scheme === 'email'
  if (isEmail) requireRight(actor, 'write', check)
  const bytes = await findPingBody(deps, actor, check, n)
  if (bytes === null) throw new Refusal('not-found', 'this ping has no body')
  if (may(actor, 'write')) return { bytes, isEmail }
  const text = decodeStart({ bytes, size: bytes.length, contentType: line?.contentType ?? null })
  return { bytes: new TextEncoder().encode(withoutPingSecrets(text)), isEmail }
}
