/** A webhook's form. It has switches, because a form can't distinguish a missing setting from an empty one. */
import type { HeaderValues } from '../../domain/carrier/header-lines.ts'
import type { Mistakes, SettingValues } from '../../domain/channel/typed-settings.ts'
import { type Static, Text, Type } from '../../domain/schema.ts'
import type { SettingsForm } from '../transport.ts'
import { SigningSecret } from './signature.ts'
import { addressMistake, hostMistake } from './webhook-address.ts'
import { WebhookMethod, type WebhookSettings, WebhookText, WebhookUrlText } from './webhook-settings.ts'

type Settings = Static<typeof WebhookSettings>
type Status = 'down' | 'up'

const PLACEHOLDERS =
  '$CODE, $STATUS, $NOW, $NAME, $NAME_JSON, $SLUG, $TAGS, $TAG1, $TAG2, …, $JSON, $ADVICE, $EXITSTATUS, $BODY, $BODY_JSON, $CHANGED and $CHANGED_JSON are replaced by values of the check and its last ping'

/** @param section heading above the fields */
function fieldsOf(section: string) {
  const place = { section, isAdvanced: true } as const
  return {
    send: Type.Boolean({ ...place, title: 'Send a request', default: true }),
    method: Type.Union([...WebhookMethod.anyOf], { ...place, title: 'Method', default: 'POST' }),
    url: Type.Optional(
      Text({
        ...WebhookUrlText,
        ...place,
        title: 'Other URL',
        defaultsTo: 'url',
        description: 'Leave empty to use the URL above. Placeholders such as $CODE and $NAME work here too.',
      }),
    ),
    headers: Type.Record(Type.String(), Text(WebhookText), {
      ...place,
      title: 'Headers',
      description: 'One per line, such as Content-Type: text/plain.',
      isSecret: true,
    }),
    body: Type.Optional(
      Text({
        ...WebhookText,
        ...place,
        title: 'Body',
        lines: 5,
        description: `For POST and PUT. Leave empty to send JSON that describes the alert. ${PLACEHOLDERS}.`,
      }),
    ),
    bare: Type.Boolean({ ...place, title: 'Send no body', default: false }),
  }
}

const down = fieldsOf('When a check goes down')
const up = fieldsOf('When a check recovers')

const Fields = Type.Object({
  url: Type.Optional(
    Text({
      ...WebhookUrlText,
      title: 'URL',
      examples: ['https://example.org/hook'],
      description: 'Receives a JSON POST request when a check goes down or recovers.',
    }),
  ),
  send_down: down.send,
  method_down: down.method,
  url_down: down.url,
  headers_down: down.headers,
  body_down: down.body,
  bare_down: down.bare,
  send_up: up.send,
  method_up: up.method,
  url_up: up.url,
  headers_up: up.headers,
  body_up: up.body,
  bare_up: up.bare,
  secret: Type.Optional(SigningSecret),
})

export const webhookForm: SettingsForm<typeof WebhookSettings> = {
  fields: Fields,
  toFields: (settings) => ({
    url: settings.url,
    ...valuesOf(settings, 'down'),
    ...valuesOf(settings, 'up'),
    secret: settings.secret,
  }),
  toSettings: (values) =>
    withoutDefaults({
      url: values.url,
      ...settingsOf(values, 'down'),
      ...settingsOf(values, 'up'),
      secret: values.secret,
    }),
}

function valuesOf(settings: Settings, status: Status): SettingValues {
  const url = settings[`url_${status}`]
  const body = settings[`body_${status}`]
  return {
    [`send_${status}`]: url !== '',
    [`method_${status}`]: settings[`method_${status}`] ?? 'POST',
    [`url_${status}`]: url || undefined,
    [`headers_${status}`]: settings[`headers_${status}`] ?? {},
    [`body_${status}`]: body || undefined,
    [`bare_${status}`]: body === '',
  }
}

/** Converts the values for one status. Text in the body's field is used even if the switch is off. */
function settingsOf(values: SettingValues, status: Status): SettingValues {
  const method = values[`method_${status}`]
  const headers = values[`headers_${status}`]
  const noHeaders = Object.keys(headers ?? {}).length === 0
  return {
    [`method_${status}`]: method === 'POST' ? undefined : method,
    [`url_${status}`]: values[`send_${status}`] === true ? values[`url_${status}`] : '',
    [`headers_${status}`]: noHeaders ? undefined : headers,
    [`body_${status}`]: values[`body_${status}`] ?? (values[`bare_${status}`] === true ? '' : undefined),
  }
}

function withoutDefaults(settings: SettingValues): SettingValues {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

/** Finds mistakes that the schema can't express: missing URLs, and URLs or `Host` headers that name no server. */
export function webhookMistakes(values: SettingValues): Mistakes {
  const mistakes: Record<string, string> = {}
  const note = (name: string, mistake: string | null) => {
    if (mistake !== null) mistakes[name] = mistake
  }
  for (const name of ['url', 'url_down', 'url_up']) {
    const url = values[name]
    if (typeof url === 'string') note(name, addressMistake(url))
  }
  for (const name of ['headers_down', 'headers_up']) note(name, hostMistake((values[name] ?? {}) as HeaderValues))
  const isMissing = (status: Status) => values[`send_${status}`] === true && values[`url_${status}`] === undefined
  const isNeeded = values.url === undefined && (isMissing('down') || isMissing('up'))
  return isNeeded ? { url: 'Write a URL here, or one for each status.', ...mistakes } : mistakes
}
