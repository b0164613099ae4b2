/** The server that gets the message of a webhook. It must not depend on placeholders, whose values are names of checks and the like. */

import { type HeaderValues, isSecretHeader } from '../../domain/carrier/header-lines.ts'
import { hostHeader } from '../../domain/channel/destinations.ts'

/** Returns a sentence about a URL that names no server, or more than a server; null for a valid one. Placeholders may follow the server. */
export function addressMistake(url: string): string | null {
  const authority = authorityOf(url)
  if (authority.includes('$')) return 'Write the server out: $NAME and other placeholders work only after it.'
  if (authority.includes('@')) {
    return 'Leave out the part before the @. Put a name and password into a header: Authorization: Basic, then name:password in base64.'
  }
  return URL.canParse(url) ? null : 'That is not a URL such as https://example.org/hook.'
}

/** Returns a sentence about headers that let placeholders choose a server; null for others. */
export function hostMistake(headers: HeaderValues): string | null {
  return hostHeader(headers)?.includes('$')
    ? 'Write the Host header in full: placeholders do not work in it, because it names a server.'
    : null
}

/**
 * Returns user, host and port, as both browsers and this program read them (URL standard, 4.4: line ends and tabs do not count,
 * `\` is a `/`).
 */
function authorityOf(url: string): string {
  return /^https?:[\\/]*([^\\/?#]*)/i.exec(url.replace(/[\t\n\r]/g, ''))?.[1] ?? ''
}

interface Sent<Secret> {
  readonly headers: HeaderValues
  readonly secret: Secret | undefined
}

/**
 * Returns what may be sent to the server of a filled URL: everything if the template names that server; otherwise no secrets.
 * Templates that let placeholders choose the server are refused, but earlier versions and Healthchecks have stored some.
 */
export function sentTo<Secret>(filled: string, template: string, { headers, secret }: Sent<Secret>): Sent<Secret> {
  const origin = URL.parse(template)?.origin
  const isFixed = origin !== undefined && origin === URL.parse(filled)?.origin && hostMistake(headers) === null
  if (isFixed) return { headers, secret }
  const open = Object.entries(headers).filter(([name]) => !isSecretHeader(name))
  return { headers: Object.fromEntries(open), secret: undefined }
}
