/**
 * The interface for a kind of channel. It turns settings and an event into a message, and an answer into a conclusion. It is pure.
 * `delivery/` sends the messages.
 */

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

/** Data from which a message is rendered. */
export interface Alert extends Omit<DeliveryOrder, 'channel'>, Pick<ExplainedFlip, 'cause' | 'change'> {
  /** description of the flip */
  readonly message: Notification
  /** the operator's settings, for kinds that need some; see {@link operatorSetting} */
  readonly operator: OperatorSettings
  /** link with which an email's recipient can unsubscribe from this channel */
  readonly unsubscribeUrl: string
  readonly links: Links
  readonly siteName: string
  /** time at which the message is rendered */
  readonly now: Instant
}

/** Alerts that are sent in one message. */
export type Alerts = readonly [Alert, ...Alert[]]

/** A setting that a kind reads from the operator's environment. */
export interface OperatorSetting {
  readonly name: string
  /** an example value, with `…` for a part that only the operator knows */
  readonly example: string
  /** accepted values, any text by default. `mail-server` is parsed with the other mail server settings */
  readonly type?: 'url' | 'flag' | 'mail-server'
  /** true if the kind works without the setting */
  readonly isOptional?: true
  /** name of a setting that can be used instead */
  readonly or?: string
}

/** Values by environment variable. Empty values are left out. */
export type OperatorSettings = Readonly<Record<string, string>>

/** Thrown if the operator has not set up the kind yet, for example because an application's key is missing. */
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

/** A conclusion from the receiver's answer about the delivery. */
export type Conclusion =
  | { readonly kind: 'sent' }
  | {
      readonly kind: 'retry'
      readonly error: string
      readonly retryAfterSeconds: number | null
      /** new values for the channel's settings, because the receiver's address has changed */
      readonly moved?: Readonly<Record<string, unknown>>
    }
  /** this message can't be delivered, but later messages may be */
  | { readonly kind: 'fail'; readonly error: string }
  /** the receiver will never accept a message, so the channel is disabled */
  | { readonly kind: 'disable'; readonly error: string }

/** A settings form that differs from the fields of the schema. */
export interface SettingsForm<Settings extends TSchema = TSchema> {
  /** form fields, shown according to the annotations of `TextOptions` */
  readonly fields: TObject
  /** @param settings must fit the schema */
  toFields(settings: Static<Settings>): SettingValues
  /** @param values must fit {@link fields} */
  toSettings(values: SettingValues): unknown
}

/** Messages to the receiver when a member acknowledges the incident of a check that is down. */
interface Acknowledgements<Name extends CarrierName, Settings extends TSchema> {
  /** returns false if the settings say that acknowledgements are not sent */
  wants(settings: Static<Settings>): boolean
  /** @param alert alert about the check that went down @throws MissingSetting if the operator must set something first */
  render(alert: Alert, taken: Taken, settings: Static<Settings>): Exchanges[Name]['message']
}

export interface Transport<Name extends CarrierName = CarrierName, Settings extends TSchema = TSchema> {
  /** name in the database, the API and commands */
  readonly kind: ChannelKind
  /** name as its maker spells it; must also be suitable for the middle of a sentence */
  readonly name: string
  /** two characters shown in lists, because logos are trademarks */
  readonly mark: string
  /** short explanation shown next to the name */
  readonly about: string
  /** carrier for the kind's messages */
  readonly carrier: Name
  /** schema for a channel's settings; its titles and descriptions are shown to users */
  readonly settings: Settings
  /** a sentence about the settings, shown as a hint if they contain an error */
  readonly needs?: string
  /** form for the settings; by default the fields of the schema, or the single value of a schema without fields */
  readonly form?: SettingsForm<Settings>
  /** operator settings that the kind's messages need */
  readonly reads?: readonly OperatorSetting[]
  /** operator setting that switches the kind off, such as `SLACK_ENABLED` */
  readonly offSwitch?: string
  /** valid settings, with which tests try the kind */
  readonly sample: Sample
  /**
   * Finds mistakes that the schema can't express.
   * @param values form values, valid or not
   * @returns a sentence for each field with a mistake
   */
  mistakes?(values: SettingValues): Mistakes
  /** returns false if the settings say that this flip is not reported */
  wants(settings: Static<Settings>, flip: Pick<Flip, 'newStatus'>): boolean
  /** Returns a message to send first, regardless of its answer; null if there is none. */
  prepare?(alert: Alert, settings: Static<Settings>): Exchanges[Name]['message'] | null
  /** @throws MissingSetting if the operator must set something first */
  render(alert: Alert, settings: Static<Settings>): Exchanges[Name]['message']
  /**
   * Returns one message for several alerts that were held until quiet hours ended, the most important alert first. Omitted for services
   * that have their own incidents and get each alert separately.
   * @throws MissingSetting if the operator must set something first
   */
  digest?(alerts: Alerts, settings: Static<Settings>): Exchanges[Name]['message']
  /**
   * Returns another message to send in the same attempt with the same id, if the receiver rejected users' text in the first message,
   * because such text must not block an alert. Null for all other answers.
   */
  fallback?(
    answer: Exchanges[Name]['answer'],
    alert: Alert,
    settings: Static<Settings>,
  ): Exchanges[Name]['message'] | null
  /** acknowledgements, for services that support them */
  readonly acknowledgements?: Acknowledgements<Name, Settings>
  judge(answer: Exchanges[Name]['answer'], now: Instant): Conclusion
  /** true if the service later reports the outcome of an accepted message to a callback URL */
  readonly hasStatusCallback?: true
  /** Returns the key of the receiver's rate limit. Channels with the same key together send at most a few messages per minute. */
  rateLimitKey?(settings: Static<Settings>): string
}

/** Checks a transport against the type of its settings, which is lost in the list of transports. */
export function defineTransport<Name extends CarrierName, Settings extends TSchema>(
  transport: Transport<Name, Settings>,
): Transport<Name> {
  return transport as unknown as Transport<Name>
}

const SENT = new Set([200, 201, 202, 204])

/** Judges answers as most receivers mean them: 200, 201, 202 and 204 mean success, and anything else is retried. */
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
  // All three date formats begin with the weekday. The parser would also accept `-5` and `1.5` as dates.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(header)) return null
  // The oldest format has no time zone and means GMT.
  const date = Date.parse(header.endsWith('GMT') ? header : `${header} GMT`)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now.epochMilliseconds) / 1000))
}

/** A transport for each kind that this version supports. */
export type Registry = ReadonlyMap<ChannelKind, Transport>

/**
 * Returns false if the channel's settings say that this flip is not reported. Returns true for unknown kinds and invalid settings, because
 * their delivery will fail visibly, while an error here would undo the flip.
 */
export function channelWants(registry: Registry, channel: Channel, flip: Pick<Flip, 'newStatus'>): boolean {
  try {
    return registry.get(channel.kind)?.wants(channel.settings, flip) ?? true
  } catch {
    return true
  }
}

/**
 * Does the same as {@link channelWants}, for all kinds of news. Acknowledgements are sent only to kinds that support them, because nothing
 * has changed for other kinds.
 */
export function channelHears(registry: Registry, channel: Channel, news: News): boolean {
  if (news !== 'acknowledged') return channelWants(registry, channel, { newStatus: news })
  try {
    return registry.get(channel.kind)?.acknowledgements?.wants(channel.settings) ?? false
  } catch {
    return false
  }
}
