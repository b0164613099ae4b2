/** Reads from the log what made a ping a failure. */
import type { LastPing } from '../domain/alert/flip-context.ts'
import type { Check } from '../domain/check/check.ts'
import { CAUSE_BYTES, canFailByRule, causeOf, type FailureCause } from '../domain/check/failure-cause.ts'
import type { EventLoopYield } from '../lib/event-loop-yield.ts'
import type { Deps } from './deps.ts'
import { readMessageText } from './message-text.ts'

type Steps = Pick<EventLoopYield, 'step'>

/** Of an alert: null for a ping that is no failure, and for a check whose rules make none. */
export async function causeOfPing(check: Check, ping: LastPing | null, eventLoop: Steps): Promise<FailureCause | null> {
  if (ping?.kind !== 'fail' || ping.droppedBytes !== null || !canFailByRule(check)) return null
  const { scheme, method, body, bodySize } = ping
  return readCause(check, { scheme, method, start: body, size: bodySize }, eventLoop)
}

/** Enough for the header of nearly every email, and for what is searched of a request. */
const START_BYTES = 16_384

/** A beginning of that length is read in a fraction of a millisecond, so it needs no steps. */
const AT_ONCE: Steps = { step: (work) => work() }

/** Of a failure that a page shows: null for a check whose rules make none, and when the log no longer has the ping. */
export async function findCause({ store }: Pick<Deps, 'store'>, check: Check, n: number): Promise<FailureCause | null> {
  const line = canFailByRule(check) ? await store.findPingStart(check.id, n, START_BYTES) : null
  if (line === null || line.droppedBytes !== null) return null
  const { scheme, method, bodyStart, bodySize } = line
  return readCause(check, { scheme, method, start: bodyStart, size: bodySize }, AT_ONCE)
}

interface Begin {
  readonly scheme: string
  readonly method: string
  /** null without a body */
  readonly start: Uint8Array | null
  /** of the whole body */
  readonly size: number
}

async function readCause(
  check: Check,
  { scheme, method, start, size }: Begin,
  eventLoop: Steps,
): Promise<FailureCause> {
  const isMail = scheme === 'email'
  const read = start?.length ?? 0
  const mail = isMail ? await readMessageText(start ?? new Uint8Array(), eventLoop) : null
  const isWhole = read === size || (!isMail && read >= CAUSE_BYTES)
  return causeOf(check, { method, mail, body: isMail ? null : start, isWhole })
}
