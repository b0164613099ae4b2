/** Converts the settings of Healthchecks' integrations to channel settings of the same kind. The transport validates them. */
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Names of the setting fields to import, by kind of integration. Overdue does not use other fields, such as the tokens of an OAuth grant.
 */
const FIELDS: Partial<Record<ChannelKind, readonly string[]>> = {
  call: ['value'],
  email: ['value', 'down', 'up'],
  github: ['repo', 'labels'],
  gotify: ['url', 'token', 'priority', 'priority_up'],
  ntfy: ['topic', 'url', 'priority', 'priority_up', 'token'],
  opsgenie: ['key', 'region'],
  pd: ['service_key', 'account'],
  shell: ['cmd_down', 'cmd_up'],
  signal: ['value', 'down', 'up'],
  sms: ['value', 'down', 'up'],
  telegram: ['id', 'type', 'name', 'thread_id'],
  trello: ['token', 'list_id', 'board_name', 'list_name'],
  webhook: ['method_down', 'url_down', 'body_down', 'headers_down', 'method_up', 'url_up', 'body_up', 'headers_up'],
  whatsapp: ['value', 'down', 'up'],
  zulip: ['bot_email', 'api_key', 'site', 'mtype', 'to', 'topic'],
}

const PHONE_FLAGS = { down: true, up: false }

/** Conversions for kinds of integrations whose fields must be changed, not only selected. */
const FORMS: Partial<Record<ChannelKind, (value: string | Values) => unknown>> = {
  discord: (value) => withHost(urlIn(value, 'webhook'), 'discordapp.com', 'discord.com'),
  slack: (value) => urlIn(value, 'incoming_webhook'),
  mattermost: (value) => urlIn(value, 'incoming_webhook'),
  // Before v3.0, the value was only a key.
  opsgenie: (value) => (typeof value === 'string' ? { key: value, region: 'us' } : value),
  // Healthchecks signs in as a GitHub application, whose key only that server has.
  github: (value) => (typeof value === 'string' ? value : { token: '', labels: [], ...value }),
  signal: (value) => withFlags(value),
  sms: (value) => withFlags(value),
  whatsapp: (value) => withFlags(value),
  telegram: (value) => (typeof value === 'string' ? value : { ...value, ...shortened(value, 'name', 200) }),
  zulip: withSite,
}

/** @param value stored value, which is text or a JSON object */
export function channelSettings(kind: ChannelKind, value: string): unknown {
  const parsed = value.startsWith('{') ? objectOf(value) : value
  const form = FORMS[kind] ?? ((given) => given)
  return form(typeof parsed === 'string' ? parsed : chosen(parsed, FIELDS[kind]))
}

function chosen(values: Values, fields: readonly string[] | undefined): Values {
  if (fields === undefined) return values
  return Object.fromEntries(
    fields.filter((field) => Object.hasOwn(values, field)).map((field) => [field, values[field]]),
  )
}

/** Parses JSON. Returns the text itself if it is not JSON. */
function objectOf(text: string): string | Values {
  try {
    return JSON.parse(text) as Values
  } catch {
    return text
  }
}

/** @param name field of the grant that contains the URL */
function urlIn(value: string | Values, name: string): unknown {
  if (typeof value === 'string') return value
  const inner = value[name]
  return typeof inner === 'object' && inner !== null && 'url' in inner ? inner.url : null
}

function withHost(url: unknown, former: string, present: string): unknown {
  return typeof url === 'string' ? url.replace(`https://${former}/`, `https://${present}/`) : url
}

function withFlags(value: string | Values): unknown {
  return typeof value === 'string' ? { value, ...PHONE_FLAGS } : { ...PHONE_FLAGS, ...value }
}

function shortened(values: Values, field: string, limit: number): Values {
  const text = values[field]
  return typeof text === 'string' ? { [field]: [...text].slice(0, limit).join('') } : {}
}

/** Adds the site to old settings that lack it. The bot's email address contains the site. */
function withSite(value: string | Values): unknown {
  if (typeof value === 'string' || value.site !== undefined) return value
  const domain = typeof value.bot_email === 'string' ? value.bot_email.split('@').at(-1) : undefined
  return { ...value, site: `https://${domain}` }
}
