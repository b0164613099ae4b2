/** A message that was sent to a receiver, as shown on pages. */

import type { CarrierName, Exchanges } from './carriers.ts'
import { isSecretHeader } from './header-lines.ts'
import { MASK, type Masker, maskedWithin } from './mask-secrets.ts'

export interface MessageWords {
  /** first line of the message, such as `POST https://example.org/hook`, `Email`, or a command */
  readonly line: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

const DESCRIBE: {
  readonly [Name in CarrierName]: (
    message: Exchanges[Name]['message'],
    secrets: readonly string[],
  ) => MessageWords | Promise<MessageWords>
} = {
  http: async (message, secrets) => ({
    line: `${message.method} ${shownUrl(message.url, secrets)}`,
    headers: [...message.headers].map(([name, value]) => [name, shownHeader(name, value)]),
    body: await message.text(),
  }),
  mail: ({ to, subject, text }) => ({
    line: 'Email',
    headers: [
      ['To', to],
      ['Subject', subject],
    ],
    body: text,
  }),
  shell: ({ command }) => ({ line: command, headers: [], body: '' }),
  signal: ({ method, params }) => ({ line: method, headers: [], body: JSON.stringify(params, null, 2) }),
}

/** Returns only the origin if the URL is secret, because the URL may not be spelled exactly as in the settings. */
function shownUrl(url: string, secrets: readonly string[]): string {
  const { origin } = new URL(url)
  const isSecret = secrets.some((secret) => URL.parse(secret)?.origin === origin)
  return isSecret ? `${origin}/${MASK}` : url
}

/**
 * Shows only the scheme of an `Authorization` header, and hides the values of other secret headers. The signature headers that Overdue adds
 * are not secret.
 */
function shownHeader(name: string, value: string): string {
  if (!isSecretHeader(name) || name.startsWith('webhook-')) return value
  const [, scheme = ''] = /^([A-Za-z]+ )\S/.exec(value) ?? []
  return name === 'authorization' ? scheme + MASK : MASK
}

const LIMIT = 2_000

/**
 * Returns the message without secrets. Consumes the body, so callers must pass a clone of the request.
 * @param secrets the channel's and the operator's secrets
 * @param mask removes the secrets from a string
 */
export async function messageWords<Name extends CarrierName>(
  carrier: Name,
  message: Exchanges[Name]['message'],
  secrets: readonly string[],
  mask: Masker,
): Promise<MessageWords> {
  const { line, headers, body } = await DESCRIBE[carrier](message, secrets)
  const kept = (text: string) => maskedWithin(mask, text, LIMIT)
  return { line: kept(line), headers: headers.map(([name, value]) => [name, kept(value)]), body: kept(body) }
}
