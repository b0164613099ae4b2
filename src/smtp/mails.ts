/** Accepts recipients and messages. This part of the SMTP server knows about checks but not about sockets. */
import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import type { SignalTarget } from '../domain/ping/signal.ts'
import { canonicalAddress } from '../lib/network/network.ts'
import type { Deps } from '../services/common/deps.ts'
import { findMailTarget, type PingReceiver } from '../services/pings/pings.ts'
import type { RefusedNotes } from '../services/pings/refused-signals.ts'
import { receiveMessage } from './message.ts'
import { type MemoryLimits, MessageMemory } from './message-memory.ts'
import { parseRecipient } from './recipient.ts'
import { refusedRecipient } from './refused-recipient.ts'
import { asRejection, Rejection } from './rejection.ts'

export interface MailDoorDeps extends Pick<Deps, 'store' | 'log' | 'eventLoop' | 'budget'> {
  readonly pings: PingReceiver
  readonly refusedNotes: Pick<RefusedNotes, 'note'>
}

export interface MessageLimits extends MemoryLimits {
  /** size of a message in bytes times its number of recipients, because each recipient gets a copy */
  readonly copiedBytes: number
}

type Done = (error?: Error | null, words?: string) => void

/** Tracks incoming messages and forwards each one when it is complete. */
export class Mails {
  readonly #deps: MailDoorDeps
  readonly #domain: string
  readonly #words: ReturnType<typeof rejectionWords>
  readonly #limits: MessageLimits
  readonly #memory: MessageMemory
  /** incoming messages, by connection id */
  readonly #underWay = new Map<string, Promise<void>>()
  /** ping targets of the accepted recipients */
  readonly #targets = new WeakMap<SMTPServerAddress, SignalTarget>()

  constructor(deps: MailDoorDeps, domain: string, limits: MessageLimits) {
    this.#deps = deps
    this.#domain = domain
    this.#words = rejectionWords(domain)
    this.#limits = limits
    this.#memory = new MessageMemory(limits)
  }

  isUnderWay(connectionId: string): boolean {
    return this.#underWay.has(connectionId)
  }

  /** Resolves when all current messages have been answered. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#underWay.values())
  }

  answer(work: Promise<void>, done: Done): void {
    work.then(
      () => done(null, 'OK'),
      (error) => done(asRejection(error, this.#deps.log)),
    )
  }

  /** @throws Rejection for an unknown address or too many recipients; Refusal `unavailable` */
  async admit(recipient: SMTPServerAddress, { envelope: { mailFrom, rcptTo } }: SMTPServerSession): Promise<void> {
    const parsed = parseRecipient(recipient.address, this.#domain)
    if (typeof parsed === 'string') {
      const named = refusedRecipient(recipient.address, parsed)
      if (named !== null) this.#deps.refusedNotes.note(named.target, named.tail)
      throw new Rejection(550, this.#words[parsed])
    }
    const { target, state } = await findMailTarget(this.#deps, parsed)
    if (typeof state === 'string') {
      if (target.kind === 'slug' && state === 'ambiguous') this.#deps.refusedNotes.note(target, target.slug)
      throw new Rejection(550, this.#words[state])
    }
    const copies = declaredBytes(mailFrom) * (rcptTo.length + 1)
    if (copies > this.#limits.copiedBytes) throw new Rejection(452, 'too many recipients for a message of this size')
    this.#targets.set(recipient, target)
  }

  /** @param arrived called when the message is complete or has failed */
  receive(stream: SMTPServerDataStream, session: SMTPServerSession, arrived: () => void): Promise<void> {
    const { mailFrom, rcptTo } = session.envelope
    const envelope = {
      sender: mailFrom === false ? '' : mailFrom.address,
      targets: rcptTo.map((recipient) => this.#targets.get(recipient)).filter((target) => target !== undefined),
      remoteAddr: canonicalAddress(session.remoteAddress),
    }
    const received = this.#memory
      .receive(stream, Math.floor(this.#limits.copiedBytes / envelope.targets.length), (message) => {
        arrived()
        return receiveMessage(this.#deps, envelope, message)
      })
      .finally(() => {
        arrived()
        this.#underWay.delete(session.id)
      })
    this.#underWay.set(session.id, received)
    return received
  }
}

/**
 * Messages for each reason to reject a recipient. Programs recognize the part before the colon.
 * @param domain domain of the checks' email addresses
 */
function rejectionWords(domain: string) {
  return {
    'wrong-domain': `Recipient rejected: the addresses of checks end with @${domain}`,
    'bad-mailbox': `Invalid mailbox: write <uuid>@${domain} or <ping key>+<slug>@${domain} with nothing else; keywords in the subject mark starts and failures`,
    'not-found': 'Unknown check: no check has this address, copy it from the check page',
    ambiguous: `Ambiguous slug: several checks have it, write <uuid>@${domain}`,
  }
}

/** Returns the size that the client declared for its message (RFC 1870); 0 if it declared none. */
function declaredBytes(mailFrom: SMTPServerSession['envelope']['mailFrom']): number {
  const size = mailFrom === false || typeof mailFrom.args !== 'object' ? undefined : mailFrom.args.SIZE
  return typeof size === 'string' ? Number(size) : 0
}
