/** A message that was sent to a receiver, as pages show it. */

import type { CarrierName, Exchanges } from './carriers.ts'
import { isSecretHeader } from './header-lines.ts'
import { MASK, type Masker, maskedWithin } from './mask-secrets.ts'

export interface MessageWords {
  /** first line of the message: `POST https://example.org/hook`, `Email`, or a command */
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

/** Returns only the origin of a secret URL, because the URL may be written differently than in the settings. */
function shownUrl(url: string, secrets: readonly string[]): string {
  const { origin } = new URL(url)
  const isSecret = secrets.some((secret) => URL.parse(secret)?.origin === origin)
  return isSecret ? `${origin}/${MASK}` : url
}

/** Shows only the scheme of a login, and hides the values of other secret headers. Signature headers that Overdue adds are not secret. */
function shownHeader(name: string, value: string): string {
  if (!isSecretHeader(name) || name.startsWith('webhook-')) return value
  const [, scheme = ''] = /^([A-Za-z]+ )\S/.exec(value) ?? []
  return name === 'authorization' ? scheme + MASK : MASK
}

const LIMIT = 2_000

/**
 * Returns the message without secrets. Reads the body, so pass a copy of a request.
 * @param secrets secrets of the channel and the operator
 * @param mask removes the secrets from texts
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
