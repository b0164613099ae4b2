/** Turns a message into one ping per recipient. */
import { type Signal, type SignalTarget, userAgent } from '../domain/ping/signal.ts'
import type { Deps } from '../services/common/deps.ts'
import { readMessageText } from '../services/pings/message-text.ts'
import { findTarget, type PingReceiver } from '../services/pings/pings.ts'
import type { Message } from './message-memory.ts'
import { Rejection } from './rejection.ts'

/** A message's SMTP envelope. */
interface Envelope {
  /** address of the sender; empty for bounces and other emails that must not be replied to */
  readonly sender: string
  readonly targets: readonly SignalTarget[]
  readonly remoteAddr: string | null
}

interface MessageDeps extends Pick<Deps, 'store' | 'eventLoop'> {
  readonly pings: PingReceiver
}

/** Maximum total size in bytes of the copies of a short message that one transaction writes. A transaction delays all other writes. */
const TRANSACTION_BYTES = 2 * 1024 * 1024

/** Pause in milliseconds between transactions, so that waiting pings are written first. */
const PAUSE_MS = 20

/**
 * Resolves when the pings are on disk. A target that was deleted after RCPT gets no ping.
 * @throws Rejection if no target is left; Refusal `unavailable`, after which some of the pings may be on disk
 */
export async function receiveMessage(deps: MessageDeps, envelope: Envelope, message: Message): Promise<void> {
  const { beginning, rest } = message
  const signal: Signal = {
    action: 'success',
    exitStatus: null,
    occurredAt: null,
    rid: null,
    scheme: 'email',
    method: '',
    ua: userAgent(`Email from ${envelope.sender}`),
    remoteAddr: envelope.remoteAddr,
    body: beginning.length === 0 ? null : beginning,
    contentType: null,
    searched: null,
    mail: (await isSearched(deps, envelope)) ? await readMessageText(beginning, deps.eventLoop) : 'unread',
  }
  const together = rest.length > 0 ? 1 : Math.floor(TRANSACTION_BYTES / Math.max(1, beginning.length))
  let isAccepted = false
  for (let start = 0; start < envelope.targets.length; start += together) {
    if (start > 0) await Bun.sleep(PAUSE_MS)
    const targets = envelope.targets.slice(start, start + together)
    const outcomes = await Promise.all(targets.map((target) => deps.pings.receive(target, signal, rest)))
    isAccepted ||= outcomes.includes('ok')
  }
  if (!isAccepted) throw new Rejection(550, 'Unknown check')
}

/** Returns true if any recipient's check searches emails for keywords. */
async function isSearched(deps: MessageDeps, { targets }: Envelope): Promise<boolean> {
  for (const target of targets) {
    const state = await findTarget(deps, target)
    if (typeof state === 'object' && state.filtersMail) return true
  }
  return false
}
