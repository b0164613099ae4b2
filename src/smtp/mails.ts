/** What is said to recipients and to messages: the part of the door that knows checks and no sockets. */
import { domainToUnicode } from 'node:url'
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import { canonicalAddress } from '../domain/network.ts'
import type { Deps } from '../services/deps.ts'
import { findTarget, type PingReceiver } from '../services/pings.ts'
import { receiveMessage } from './message.ts'
import { MessageRoom, type RoomLimits } from './message-room.ts'
import { parseRecipient } from './recipient.ts'
import { asRejection, Rejection } from './rejection.ts'

export interface MailDoorDeps extends Pick<Deps, 'store' | 'log' | 'pace'> {
  readonly pings: PingReceiver
}

export interface MessageLimits extends RoomLimits {
  /** bytes of a message times its recipients: each gets a copy of its own */
  readonly copiedBytes: number
}

type Done = (error?: Error | null, words?: string) => void

/** Counts the messages under way, and hands each on when it is whole. */
export class Mails {
  readonly #deps: MailDoorDeps
  readonly #domain: string
  readonly #limits: MessageLimits
  readonly #room: MessageRoom
  /** by the id of their connection */
  readonly #underWay = new Map<string, Promise<void>>()

  constructor(deps: MailDoorDeps, domain: string, limits: MessageLimits) {
    this.#deps = deps
    // The library has undone Punycode in what we are asked for.
    this.#domain = /xn--/i.test(domain) ? domainToUnicode(domain) : domain
    this.#limits = limits
    this.#room = new MessageRoom(limits)
  }

  isUnderWay(connectionId: string): boolean {
    return this.#underWay.has(connectionId)
  }

  /** Resolves when the messages of this moment are answered. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#underWay.values())
  }

  answer(work: Promise<void>, done: Done): void {
    work.then(
      () => done(null, 'OK'),
      (error) => done(asRejection(error, this.#deps.log)),
    )
  }

  /** @throws Rejection for an address that no check has, or one too many; Refusal `unavailable` */
  async admit(address: string, { envelope: { mailFrom, rcptTo } }: SMTPServerSession): Promise<void> {
    const target = parseRecipient(address, this.#domain)
    if (target === 'wrong-domain') throw new Rejection(550, 'Recipient rejected')
    if (target === 'bad-mailbox') throw new Rejection(550, 'Invalid mailbox')
    const state = await findTarget(this.#deps, target)
    if (state === 'not-found') throw new Rejection(550, 'Unknown check')
    if (state === 'ambiguous') throw new Rejection(550, 'Ambiguous slug')
    const copies = declaredBytes(mailFrom) * (rcptTo.length + 1)
    if (copies > this.#limits.copiedBytes) throw new Rejection(452, 'too many recipients for a message of this size')
  }

  /** @param arrived called when nothing more of the message is waited for */
  receive(stream: SMTPServerDataStream, session: SMTPServerSession, arrived: () => void): Promise<void> {
    const { mailFrom, rcptTo } = session.envelope
    const envelope = {
      sender: mailFrom === false ? '' : mailFrom.address,
      targets: rcptTo
        .map(({ address }) => parseRecipient(address, this.#domain))
        .filter((it) => typeof it === 'object'),
      remoteAddr: canonicalAddress(session.remoteAddress),
    }
    const received = this.#room
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

/** What the client has said that its message will have (RFC 1870); 0 when it has not. */
function declaredBytes(mailFrom: SMTPServerSession['envelope']['mailFrom']): number {
  const size = mailFrom === false || typeof mailFrom.args !== 'object' ? undefined : mailFrom.args.SIZE
  return typeof size === 'string' ? Number(size) : 0
}
