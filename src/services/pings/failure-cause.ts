/** Reads from the log what made a ping a failure. */

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
  /** of the whole body */
  readonly size: number
  /** null when its body was not dropped */
  readonly droppedBytes: number | null
}

/** Null for a ping that is no failure, for a check whose rules make none, and when the body was dropped. */
export async function causeOfPing(check: Check, ping: Begin, eventLoop: Steps): Promise<FailureCause | null> {
  if (ping.kind !== 'fail' || ping.droppedBytes !== null || !canFailByRule(check)) return null
  const { scheme, method, start, size, contentType } = ping
  const isMail = scheme === 'email'
  const read = start?.length ?? 0
  const mail = isMail ? await readMessageText(start ?? new Uint8Array(), eventLoop) : null
  const isWhole = read === size || (!isMail && read >= CAUSE_BYTES)
  return causeOf(check, { method, mail, body: isMail ? null : start, contentType, isWhole })
}

/** Enough for the header of nearly every email, and for what is searched of a request. */
const START_BYTES = 16_384

/** A beginning of that length is read in a fraction of a millisecond, so it needs no steps. */
const AT_ONCE: Steps = { step: (work) => work() }

/** {@link causeOfPing} of a ping for lists; null also when the log no longer has it. */
export async function findCause({ store }: Pick<Deps, 'store'>, check: Check, n: number): Promise<FailureCause | null> {
  const line = canFailByRule(check) ? await store.pings.findStart(check.id, n, START_BYTES) : null
  return line && causeOfPing(check, { ...line, start: line.bodyStart, size: line.bodySize }, AT_ONCE)
}
