/** A message → a ping for each of its recipients (behaviour of the peer, 6). */
import type { Signal, SignalTarget } from '../domain/signal.ts'
import type { Deps } from '../services/deps.ts'
import { findTarget, type PingReceiver } from '../services/pings.ts'
import { readMessageText } from './message-text.ts'
import { Rejection } from './rejection.ts'

/** What stands on a message, not in it. */
export interface Envelope {
  /** empty for mails that nobody may answer */
  readonly sender: string
  readonly targets: readonly SignalTarget[]
  readonly remoteAddr: string | null
}

export interface MessageDeps extends Pick<Deps, 'store' | 'pace'> {
  readonly pings: PingReceiver
}

const UA_LIMIT = 200

/** A transaction keeps everybody waiting: so many bytes share one, or a single copy of a message that has more. */
const TRANSACTION_BYTES = 4 * 1024 * 1024

/** Between two of them: who came meanwhile is let in, and goes before. */
const PAUSE_MS = 20

/**
 * Resolves when the pings are on disk. A target that was there when it was named and is gone by now gets none.
 * @throws Rejection when none is left; Refusal `unavailable`, and then some may be on disk already
 */
export async function receiveMessage(deps: MessageDeps, envelope: Envelope, raw: Uint8Array): Promise<void> {
  const signal: Signal = {
    action: 'success',
    exitStatus: null,
    rid: null,
    scheme: 'email',
    method: '',
    ua: `Email from ${envelope.sender}`.slice(0, UA_LIMIT).toWellFormed(),
    remoteAddr: envelope.remoteAddr,
    body: raw.length === 0 ? null : raw,
    searched: null,
    mail: (await isSearched(deps, envelope)) ? await readMessageText(raw, deps.pace) : 'unread',
  }
  const together = Math.max(1, Math.floor(TRANSACTION_BYTES / Math.max(1, raw.length)))
  let isTaken = false
  for (let start = 0; start < envelope.targets.length; start += together) {
    if (start > 0) await Bun.sleep(PAUSE_MS)
    const targets = envelope.targets.slice(start, start + together)
    const outcomes = await Promise.all(targets.map((target) => deps.pings.receive(target, signal)))
    isTaken ||= outcomes.includes('ok')
  }
  if (!isTaken) throw new Rejection(550, 'Unknown check')
}

/** Whether the text of a mail says anything to one of its recipients. */
async function isSearched(deps: MessageDeps, { targets }: Envelope): Promise<boolean> {
  for (const target of targets) {
    const state = await findTarget(deps, target)
    if (typeof state === 'object' && state.filtersMail) return true
  }
  return false
}
