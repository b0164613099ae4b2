/** A message → a ping for each of its recipients (behaviour of the peer, 6). */
import type { Signal, SignalTarget } from '../domain/signal.ts'
import type { PingReceiver } from '../services/pings.ts'
import { readMessageText } from './message-text.ts'
import { Rejection } from './rejection.ts'

/** What stands on a message, not in it. */
export interface Envelope {
  /** empty for mails that nobody may answer */
  readonly sender: string
  readonly targets: readonly SignalTarget[]
  readonly remoteAddr: string | null
}

const UA_LIMIT = 200

/** A transaction keeps everybody waiting: so many bytes share one, or a single copy of a message that has more. */
const TRANSACTION_BYTES = 4 * 1024 * 1024

/**
 * Resolves when the pings are on disk. A target that was there when it was named and is gone by now gets none.
 * @throws Rejection when none is left; Refusal `unavailable`, and then some may be on disk already
 */
export async function receiveMessage(pings: PingReceiver, envelope: Envelope, raw: Uint8Array): Promise<void> {
  const signal: Signal = {
    action: 'success',
    exitStatus: null,
    rid: null,
    scheme: 'email',
    method: '',
    ua: `Email from ${envelope.sender}`.slice(0, UA_LIMIT).toWellFormed(),
    remoteAddr: envelope.remoteAddr,
    body: raw.length === 0 ? null : raw,
    mail: await readMessageText(raw),
  }
  const together = Math.max(1, Math.floor(TRANSACTION_BYTES / Math.max(1, raw.length)))
  let isTaken = false
  for (let start = 0; start < envelope.targets.length; start += together) {
    const targets = envelope.targets.slice(start, start + together)
    const outcomes = await Promise.all(targets.map((target) => pings.receive(target, signal)))
    isTaken ||= outcomes.includes('ok')
  }
  if (!isTaken) throw new Rejection(550, 'Unknown check')
}
