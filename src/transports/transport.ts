/** The shape of a kind of channel: settings + event → message, answer → verdict. Pure; sending is `delivery/`'s work. */
import type { CarrierName, Exchanges } from '../domain/carriers.ts'
import type { Channel, ChannelKind } from '../domain/channel.ts'
import type { DeliveryOrder } from '../domain/delivery.ts'
import type { Flip } from '../domain/flip.ts'
import type { HttpAnswer } from '../domain/http-exchange.ts'
import type { Notification } from '../domain/notification.ts'
import type { OperatorSettingName } from '../domain/operator.ts'
import type { Links } from '../domain/representation.ts'
import type { Static, TSchema } from '../domain/schema.ts'
import type { Instant } from '../domain/time.ts'

/** What a message may be made from. */
export interface Alert extends Omit<DeliveryOrder, 'channel'> {
  /** the same in words */
  readonly message: Notification
  /** what the operator has set for kinds that need an application of their own; see {@link operatorSetting} */
  readonly operator: OperatorSettings
  /** where the receiver of a mail can end the mails of this channel */
  readonly unsubscribeUrl: string
  readonly links: Links
  readonly siteName: string
  /** when the message is rendered */
  readonly now: Instant
}

/** By name in the environment; empty ones are left out. */
export type OperatorSettings = Readonly<Record<string, string>>

/** The operator of this server has to register an application or name a server before this kind can be used. */
export class MissingSetting extends Error {
  override readonly name = 'MissingSetting'

  constructor(readonly setting: string) {
    super(`${setting} is not set on this server`)
  }
}

/** @throws MissingSetting */
export function operatorSetting(alert: Pick<Alert, 'operator'>, name: OperatorSettingName): string {
  const value = alert.operator[name]
  if (!value) throw new MissingSetting(name)
  return value
}

/** What the receiver's answer means for the delivery. */
export type Verdict =
  | { readonly kind: 'sent' }
  | {
      readonly kind: 'retry'
      readonly error: string
      readonly retryAfterSeconds: number | null
      /** fields that are other ones in the channel's settings from now on, since the receiver has moved */
      readonly moved?: Readonly<Record<string, unknown>>
    }
  /** this message cannot be delivered, another one may */
  | { readonly kind: 'fail'; readonly error: string }
  /** the receiver will never take it: stop using the channel */
  | { readonly kind: 'disable'; readonly error: string }

export interface Transport<Name extends CarrierName = CarrierName, Settings extends TSchema = TSchema> {
  readonly kind: ChannelKind
  /** by what its messages leave */
  readonly carrier: Name
  /** what a channel of this kind stores; titles and descriptions are what a form shows */
  readonly settings: Settings
  /** what the settings hold, in a sentence: the hint of an error about them */
  readonly needs?: string
  /** false when these settings ask for nothing at this flip */
  wants(settings: Static<Settings>, flip: Pick<Flip, 'newStatus'>): boolean
  /** Sent before the message, whatever is answered; null when there is nothing to prepare. */
  prepare?(alert: Alert, settings: Static<Settings>): Exchanges[Name]['message'] | null
  /** @throws MissingSetting when the operator has to set something first */
  render(alert: Alert, settings: Static<Settings>): Exchanges[Name]['message']
  /**
   * What goes out in its place, in the same attempt and under the same id, when the answer is that the receiver refused what
   * strangers wrote in it: they must not be able to keep an alert back. Null for all other answers.
   */
  plainer?(
    answer: Exchanges[Name]['answer'],
    alert: Alert,
    settings: Static<Settings>,
  ): Exchanges[Name]['message'] | null
  judge(answer: Exchanges[Name]['answer'], now: Instant): Verdict
  /** true when the service tells later, by a status callback, what became of a message that it took */
  readonly hasStatusCallback?: true
  /** What the receiver's limit counts by: channels of one such text together send a few messages a minute at most. */
  pace?(settings: Static<Settings>): string
}

/** Keeps the type of the settings inside a transport while the list of transports forgets it. */
export function defineTransport<Name extends CarrierName, Settings extends TSchema>(
  transport: Transport<Name, Settings>,
): Transport<Name> {
  return transport as unknown as Transport<Name>
}

const SENT = new Set([200, 201, 202, 204])

/** What most receivers mean: 200, 201, 202 and 204 are success, anything else may pass later. */
export function judgeByStatus(answer: HttpAnswer, now: Instant): Verdict {
  if (answer.kind === 'unreachable') {
    return answer.permanent
      ? { kind: 'fail', error: answer.error }
      : { kind: 'retry', error: answer.error, retryAfterSeconds: null }
  }
  if (SENT.has(answer.status)) return { kind: 'sent' }
  const retryAfterSeconds = retryAfter(answer.headers.get('retry-after'), now)
  return { kind: 'retry', error: `Received status code ${answer.status}`, retryAfterSeconds }
}

/** `Retry-After` in either form (RFC 9110, 10.2.3) as seconds from `now`; null when absent or not understood. */
export function retryAfter(header: string | null, now: Instant): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Number(header)
  // All three forms of a date begin with the day of the week; the parser would see one in `-5` and in `1.5` too.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(header)) return null
  // The oldest form names no zone and means GMT.
  const date = Date.parse(header.endsWith('GMT') ? header : `${header} GMT`)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now.epochMilliseconds) / 1000))
}

/** A transport for each kind that this version can send to. */
export type Registry = ReadonlyMap<ChannelKind, Transport>

/**
 * False when the channel's settings ask for nothing at this flip. An unknown kind and settings that do not fit count as
 * asking: their delivery fails visibly, where an error here would undo the flip.
 */
export function channelWants(registry: Registry, channel: Channel, flip: Pick<Flip, 'newStatus'>): boolean {
  try {
    return registry.get(channel.kind)?.wants(channel.settings, flip) ?? true
  } catch {
    return true
  }
}
