/** Creates kinds whose settings are a secret URL that accepts JSON. Each kind's file builds the payload. */
import type { HttpAnswer } from '../../domain/carrier/http-exchange.ts'
import type { Taken } from '../../domain/incident/event.ts'
import { type Static, Text, Type } from '../../domain/schema.ts'
import type { Instant } from '../../lib/time.ts'
import { urlSample } from '../sample.ts'
import {
  type Alert,
  type Alerts,
  type Conclusion,
  defineTransport,
  judgeByStatus,
  type Transport,
} from '../transport.ts'
import { jsonRequest } from './json-request.ts'
import { type Dialect, slackDigest, slackPayload } from './slack-payload.ts'
import { valueForm } from './value-form.ts'

/** Members that differ for each kind. */
interface OwnFacts extends Pick<Transport, 'kind' | 'name' | 'mark' | 'about' | 'offSwitch'> {
  /** a sentence that says where to find the URL */
  readonly urlIs: string
  /** conclusion from an answer; {@link judgeByStatus} by default */
  judge?(answer: HttpAnswer, now: Instant): Conclusion
}

interface WebhookKind extends OwnFacts {
  payload(alert: Alert): object
  /** builds the message for a digest; only for chat services */
  digest?(alerts: Alerts): object
  /** for services that support acknowledgements */
  acknowledgement?(alert: Alert, taken: Taken): object
}

export function webhookKind({ urlIs, payload, digest, acknowledgement, ...own }: WebhookKind): Transport<'http'> {
  const acknowledgements = acknowledgement && {
    wants: () => true,
    render: (alert: Alert, taken: Taken, url: string) => jsonRequest(url, acknowledgement(alert, taken)),
  }
  return defineTransport({
    ...common(own),
    settings: WebhookUrl(urlIs),
    render: (alert, url) => jsonRequest(url, payload(alert)),
    ...(digest && { digest: (alerts: Alerts, url: string) => jsonRequest(url, digest(alerts)) }),
    ...(acknowledgements && { acknowledgements }),
  })
}

interface SlackLike extends OwnFacts {
  /** a sentence that describes the authorization answer that contains the URL. The answer may be stored instead of the URL */
  readonly grantIs: string
  /** member of that answer that contains the URL */
  readonly grantMember: 'incoming_webhook' | 'webhook'
  readonly dialect: Dialect
  /** @returns the URL to which messages are sent; by default the one in the settings */
  addressOf?(url: string): string
}

/**
 * Creates a kind whose receivers accept Slack's messages. Instead of the URL, the settings may contain the answer that Slack or Discord
 * sent when an application was authorized.
 */
export function slackLike(kind: SlackLike): Transport<'http'> {
  const { urlIs, grantIs, grantMember, dialect, addressOf = (url) => url, ...own } = kind
  const Url = WebhookUrl(urlIs)
  const Grant = Type.Object({ [grantMember]: Type.Object({ url: Url }) }, { title: 'Grant', description: grantIs })
  const Settings = Type.Union([Url, Grant])
  const urlOf = (settings: Static<typeof Settings>) =>
    typeof settings === 'string' ? settings : (settings[grantMember]?.url ?? '')
  return defineTransport({
    ...common(own),
    settings: Settings,
    form: valueForm<typeof Settings>(Url, urlOf),
    render: (alert, settings) => jsonRequest(addressOf(urlOf(settings)), slackPayload(alert, dialect)),
    digest: (alerts, settings) => jsonRequest(addressOf(urlOf(settings)), slackDigest(alerts, dialect)),
  })
}

function common(own: Omit<OwnFacts, 'urlIs'>) {
  return { judge: judgeByStatus, ...own, carrier: 'http', sample: urlSample(own.kind), wants: () => true } as const
}

function WebhookUrl(description: string) {
  return Text({
    title: 'Webhook URL',
    description,
    maxLength: 1000,
    pattern: '^https?://[^\\s/]\\S*$',
    means: 'a URL such as https://example.org/hook',
    isSecret: true,
    isAddress: true,
  })
}
