/** The interface of a kind of channel: settings and event to message, answer to conclusion. Pure; `delivery/` does the sending. */

import type { DeliveryOrder, News } from '../domain/alert/delivery.ts'
import type { ExplainedFlip } from '../domain/alert/flip-context.ts'
import type { Notification } from '../domain/alert/notification.ts'
import type { CarrierName, Exchanges } from '../domain/carrier/carriers.ts'
import type { HttpAnswer } from '../domain/carrier/http-exchange.ts'
import type { Channel } from '../domain/channel/channel.ts'
import type { ChannelKind } from '../domain/channel/channel-kind.ts'
import { settingWords } from '../domain/channel/setting-words.ts'
import type { Mistakes, SettingValues } from '../domain/channel/typed-settings.ts'
import type { Flip } from '../domain/check/flip.ts'
import type { Links } from '../domain/check/representation.ts'
import type { Taken } from '../domain/incident/event.ts'
import type { Static, TObject, TSchema } from '../domain/schema.ts'
import type { Instant } from '../lib/time.ts'
import type { Sample } from './sample.ts'

/** The input for a message. */
export interface Alert extends Omit<DeliveryOrder, 'channel'>, Pick<ExplainedFlip, 'cause' | 'change'> {
  /** the flip in words */
  readonly message: Notification
  /** the operator's settings for kinds that need one; see {@link operatorSetting} */
  readonly operator: OperatorSettings
  /** link with which the receiver of an email unsubscribes from this channel */
  readonly unsubscribeUrl: string
  readonly links: Links
  readonly siteName: string
  /** time of rendering */
  readonly now: Instant
}

/** The alerts of one message. */
export type Alerts = readonly [Alert, ...Alert[]]

/** A setting of the operator, in the environment, that a kind reads. */
export interface OperatorSetting {
  readonly name: string
  /** a value, with `…` for a part that only the operator knows */
  readonly example: string
  /** accepted values: any text by default; `mail-server` is read with the other settings of the mail server */
  readonly type?: 'url' | 'flag' | 'mail-server'
  /** true: the kind works without it */
  readonly isOptional?: true
  /** name of an alternative setting */
  readonly or?: string
}

/** Values by environment variable, without empty ones. */
export type OperatorSettings = Readonly<Record<string, string>>

/** The error of a kind for which the operator must first set something, such as an application's key. */
export class MissingSetting extends Error {
  override readonly name = 'MissingSetting'

  constructor(readonly setting: string) {
    super(missingWords(setting))
  }
}

function missingWords(setting: string): string {
  const { gives, page } = settingWords(setting)
  if (page === null) return `${setting} is not set on this server`
  return `${gives.replace(/^an? /, 'No ')} is set up: enter it at ${page}, or set ${setting}`
}

/** @throws MissingSetting */
export function operatorSetting(alert: Pick<Alert, 'operator'>, name: string): string {
  const value = alert.operator[name]
  if (!value) throw new MissingSetting(name)
  return value
}

/** The meaning of the receiver's answer for the delivery. */
export type Conclusion =
  | { readonly kind: 'sent' }
  | {
      readonly kind: 'retry'
      readonly error: string
      readonly retryAfterSeconds: number | null
      /** new values for the channel's settings, because the receiver has moved */
      readonly moved?: Readonly<Record<string, unknown>>
    }
  /** this message can't be delivered; others may */
  | { readonly kind: 'fail'; readonly error: string }
  /** the receiver will never accept a message: the channel is disabled */
  | { readonly kind: 'disable'; readonly error: string }

/** The form of settings that differs from the fields of the schema. */
export interface SettingsForm<Settings extends TSchema = TSchema> {
  /** fields, shown according to the annotations of `TextOptions` */
  readonly fields: TObject
  /** @param settings must fit the schema */
  toFields(settings: Static<Settings>): SettingValues
  /** @param values must fit {@link fields} */
  toSettings(values: SettingValues): unknown
}

/** Messages to the receiver when a person takes the incident of a check that is down. */
interface Acknowledgements<Name extends CarrierName, Settings extends TSchema> {
  /** false when the settings don't want it */
  wants(settings: Static<Settings>): boolean
  /** @param alert about the check going down @throws MissingSetting if the operator must set something first */
  render(alert: Alert, taken: Taken, settings: Static<Settings>): Exchanges[Name]['message']
}

export interface Transport<Name extends CarrierName = CarrierName, Settings extends TSchema = TSchema> {
  /** name in the database, the API and commands */
  readonly kind: ChannelKind
  /** name as its makers spell it; also used in the middle of a sentence */
  readonly name: string
  /** two characters for lists, since logos are trademarks */
  readonly mark: string
  /** a few words beside its name that explain it */
  readonly about: string
  /** carrier of its messages */
  readonly carrier: Name
  /** schema of a channel's settings; titles and descriptions are for people */
  readonly settings: Settings
  /** a sentence about the settings: the hint of an error in them */
  readonly needs?: string
  /** the form; by default the fields of the schema, or the only value of a schema without fields */
  readonly form?: SettingsForm<Settings>
  /** the operator's settings that its messages need */
  readonly reads?: readonly OperatorSetting[]
  /** the operator's setting that turns the kind off, such as `SLACK_ENABLED` */
  readonly offSwitch?: string
  /** valid settings: tests try every kind with its own */
  readonly sample: Sample
  /** Mistakes that the schema can't express: a sentence for each field of the form. @param values values of the form, valid or not */
  mistakes?(values: SettingValues): Mistakes
  /** false when the settings don't want a message for this flip */
  wants(settings: Static<Settings>, flip: Pick<Flip, 'newStatus'>): boolean
  /** Returns a message to send first, whatever its answer; null if there is none. */
  prepare?(alert: Alert, settings: Static<Settings>): Exchanges[Name]['message'] | null
  /** @throws MissingSetting if the operator must set something first */
  render(alert: Alert, settings: Static<Settings>): Exchanges[Name]['message']
  /**
   * Returns one message for several alerts that waited for the end of quiet hours, the most important one first. Omitted for services
   * that keep incidents of their own, and get each alert alone.
   * @throws MissingSetting if the operator must set something first
   */
  digest?(alerts: Alerts, settings: Static<Settings>): Exchanges[Name]['message']
  /**
   * Returns the message to send instead, in the same attempt with the same id, if the receiver rejected user input in the first
   * one: user input must not block an alert. Null for all other answers.
   */
  fallback?(
    answer: Exchanges[Name]['answer'],
    alert: Alert,
    settings: Static<Settings>,
  ): Exchanges[Name]['message'] | null
  /** for services with acknowledgements; others get none */
  readonly acknowledgements?: Acknowledgements<Name, Settings>
  judge(answer: Exchanges[Name]['answer'], now: Instant): Conclusion
  /** true if the service reports the outcome of an accepted message later, by a status callback */
  readonly hasStatusCallback?: true
  /** Key of the receiver's rate limit: channels with the same key together send at most a few messages per minute. */
  rateLimitKey?(settings: Static<Settings>): string
}

/** Checks a transport against the type of its settings, which the list of transports drops. */
export function defineTransport<Name extends CarrierName, Settings extends TSchema>(
  transport: Transport<Name, Settings>,
): Transport<Name> {
  return transport as unknown as Transport<Name>
}

const SENT = new Set([200, 201, 202, 204])

/** Judges answers as most receivers mean them: 200, 201, 202 and 204 are success; anything else is retried. */
export function judgeByStatus(answer: HttpAnswer, now: Instant): Conclusion {
  if (answer.kind === 'unreachable') {
    return answer.permanent
      ? { kind: 'fail', error: answer.error }
      : { kind: 'retry', error: answer.error, retryAfterSeconds: null }
  }
  if (SENT.has(answer.status)) return { kind: 'sent' }
  const retryAfterSeconds = retryAfter(answer.headers.get('retry-after'), now)
  return { kind: 'retry', error: `Received status code ${answer.status}`, retryAfterSeconds }
}

/** Parses `Retry-After` in either form (RFC 9110, 10.2.3) as seconds from `now`; null if absent or invalid. */
export function retryAfter(header: string | null, now: Instant): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Number(header)
  // All three date formats begin with the weekday; the parser would also accept `-5` and `1.5` as dates.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(header)) return null
  // The oldest format has no zone and means GMT.
  const date = Date.parse(header.endsWith('GMT') ? header : `${header} GMT`)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now.epochMilliseconds) / 1000))
}

/** A transport for each kind that this version can send to. */
export type Registry = ReadonlyMap<ChannelKind, Transport>

/**
 * Returns false if the channel's settings don't want a message for this flip. Returns true for unknown kinds and invalid
 * settings: their delivery fails visibly, while an error here would undo the flip.
 */
export function channelWants(registry: Registry, channel: Channel, flip: Pick<Flip, 'newStatus'>): boolean {
  try {
    return registry.get(channel.kind)?.wants(channel.settings, flip) ?? true
  } catch {
    return true
  }
}

/** Like {@link channelWants} for all news. An acknowledgement is only for kinds with acknowledgements: for others, nothing has changed. */
export function channelHears(registry: Registry, channel: Channel, news: News): boolean {
  if (news !== 'acknowledged') return channelWants(registry, channel, { newStatus: news })
  try {
    return registry.get(channel.kind)?.acknowledgements?.wants(channel.settings) ?? false
  } catch {
    return false
  }
}
