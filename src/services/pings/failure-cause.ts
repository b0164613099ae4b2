/** Determines from the log why a ping is a failure. */

import { CAUSE_BYTES, canFailByRule, causeOf, type FailureCause } from '../../domain/cause/failure-cause.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import type { EventLoopYield } from '../../lib/work/event-loop-yield.ts'
import type { Deps } from '../common/deps.ts'
import { readMessageText } from './message-text.ts'

type Steps = Pick<EventLoopYield, 'step'>

/** A logged ping and the beginning of its body. */
interface Begin extends Pick<Ping, 'kind' | 'scheme' | 'method' | 'contentType'> {
  /** beginning of the body; null if the ping has no body */
  readonly start: Uint8Array | null
  /** size of the complete body, in bytes */
  readonly size: number
  /** size of the body if it was dropped; otherwise null */
  readonly droppedBytes: number | null
}

/** Returns null if the ping is not a failure, if none of the check's rules made it a failure, or if the body was dropped. */
export async function causeOfPing(check: Check, ping: Begin, eventLoop: Steps): Promise<FailureCause | null> {
  if (ping.kind !== 'fail' || ping.droppedBytes !== null || !canFailByRule(check)) return null
  const { scheme, method, start, size, contentType } = ping
  const isMail = scheme === 'email'
  const read = start?.length ?? 0
  const mail = isMail ? await readMessageText(start ?? new Uint8Array(), eventLoop) : null
  const isWhole = read === size || (!isMail && read >= CAUSE_BYTES)
  return causeOf(check, { method, mail, body: isMail ? null : start, contentType, isWhole })
}

/** Number of bytes to read. This is enough for the header of nearly every email, and for the part of a request body that rules search. */
const START_BYTES = 16_384

/** Runs the work without yielding, because reading so few bytes takes a fraction of a millisecond. */
const AT_ONCE: Steps = { step: (work) => work() }

/** Like {@link causeOfPing}, for lists. Returns null if the ping is no longer in the log. */
export async function findCause({ store }: Pick<Deps, 'store'>, check: Check, n: number): Promise<FailureCause | null> {
  const line = canFailByRule(check) ? await store.pings.findStart(check.id, n, START_BYTES) : null
  return line && causeOfPing(check, { ...line, start: line.bodyStart, size: line.bodySize }, AT_ONCE)
}
