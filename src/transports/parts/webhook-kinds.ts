/** Kinds whose settings are a secret URL that takes JSON. The file of each has its payload. */
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

/** Members that differ from kind to kind. */
interface OwnFacts extends Pick<Transport, 'kind' | 'name' | 'mark' | 'about' | 'offSwitch'> {
  /** a sentence about where people find the URL */
  readonly urlIs: string
  /** by default {@link judgeByStatus} */
  judge?(answer: HttpAnswer, now: Instant): Conclusion
}

interface WebhookKind extends OwnFacts {
  payload(alert: Alert): object
  /** for chats */
  digest?(alerts: Alerts): object
  /** for services with acknowledgements */
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
  /** a sentence about the answer that contains the URL, which can be stored too */
  readonly grantIs: string
  /** the member of that answer that has the URL */
  readonly grantMember: 'incoming_webhook' | 'webhook'
  readonly dialect: Dialect
  /** @returns the URL that gets the message; by default the one in the settings */
  addressOf?(url: string): string
}

/**
 * Creates a kind whose receivers accept Slack's messages. The URL may be stored in the form of Slack's and Discord's answer to
 * the authorization of an application.
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
