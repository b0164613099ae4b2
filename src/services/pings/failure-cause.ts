/** Reads from the log why a ping is a failure. */

import { CAUSE_BYTES, canFailByRule, causeOf, type FailureCause } from '../../domain/cause/failure-cause.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import type { EventLoopYield } from '../../lib/work/event-loop-yield.ts'
import type { Deps } from '../common/deps.ts'
import { readMessageText } from './message-text.ts'

type Steps = Pick<EventLoopYield, 'step'>

/** A ping of the log with the beginning of its body. */
interface Begin extends Pick<Ping, 'kind' | 'scheme' | 'method' | 'contentType'> {
  /** null without a body */
  readonly start: Uint8Array | null
  /** size of the whole body */
  readonly size: number
  /** null if its body was not dropped */
  readonly droppedBytes: number | null
}

/** Returns null for a ping that is not a failure, for a check whose rules make none, and if the body was dropped. */
export async function causeOfPing(check: Check, ping: Begin, eventLoop: Steps): Promise<FailureCause | null> {
  if (ping.kind !== 'fail' || ping.droppedBytes !== null || !canFailByRule(check)) return null
  const { scheme, method, start, size, contentType } = ping
  const isMail = scheme === 'email'
  const read = start?.length ?? 0
  const mail = isMail ? await readMessageText(start ?? new Uint8Array(), eventLoop) : null
  const isWhole = read === size || (!isMail && read >= CAUSE_BYTES)
  return causeOf(check, { method, mail, body: isMail ? null : start, contentType, isWhole })
}

/** Enough bytes for the header of nearly every email, and for the searched part of a request. */
const START_BYTES = 16_384

/** Runs the work without steps: a beginning of that length is read in a fraction of a millisecond. */
const AT_ONCE: Steps = { step: (work) => work() }

/** Returns the {@link causeOfPing} for lists; null also if the log no longer has the ping. */
export async function findCause({ store }: Pick<Deps, 'store'>, check: Check, n: number): Promise<FailureCause | null> {
  const line = canFailByRule(check) ? await store.pings.findStart(check.id, n, START_BYTES) : null
  return line && causeOfPing(check, { ...line, start: line.bodyStart, size: line.bodySize }, AT_ONCE)
}
