/**
 * Checks which server receives a webhook's message. It must not depend on placeholders, because users choose their values, such as the
 * names of checks.
 */

import { type HeaderValues, isSecretHeader } from '../../domain/carrier/header-lines.ts'
import { hostHeader } from '../../domain/channel/destinations.ts'

/**
 * Returns a sentence about a URL that names no server or has a placeholder before the end of the server's name; null for a valid URL.
 * Placeholders may follow the server's name.
 */
export function addressMistake(url: string): string | null {
  const authority = authorityOf(url)
  if (authority.includes('$')) return 'Write the server out: $NAME and other placeholders work only after it.'
  if (authority.includes('@')) {
    return 'Leave out the part before the @. Put a name and password into a header: Authorization: Basic, then name:password in base64.'
  }
  return URL.canParse(url) ? null : 'That is not a URL such as https://example.org/hook.'
}

/** Returns a sentence about headers that let placeholders choose a server; null for other headers. */
export function hostMistake(headers: HeaderValues): string | null {
  return hostHeader(headers)?.includes('$')
    ? 'Write the Host header in full: placeholders do not work in it, because it names a server.'
    : null
}

/**
 * Returns user, host and port as browsers and this program parse them (URL standard, 4.4: line breaks and tabs are ignored, and `\` counts
 * as `/`).
 */
function authorityOf(url: string): string {
  return /^https?:[\\/]*([^\\/?#]*)/i.exec(url.replace(/[\t\n\r]/g, ''))?.[1] ?? ''
}

interface Sent<Secret> {
  readonly headers: HeaderValues
  readonly secret: Secret | undefined
}

/**
 * Returns what may be sent to the server in a URL whose placeholders are filled in: everything if the template names that server, and
 * otherwise no secrets. Templates that let placeholders choose the server are rejected, but earlier versions and Healthchecks have stored
 * some of them.
 */
export function sentTo<Secret>(filled: string, template: string, { headers, secret }: Sent<Secret>): Sent<Secret> {
  const origin = URL.parse(template)?.origin
  const isFixed = origin !== undefined && origin === URL.parse(filled)?.origin && hostMistake(headers) === null
  if (isFixed) return { headers, secret }
  const open = Object.entries(headers).filter(([name]) => !isSecretHeader(name))
  return { headers: Object.fromEntries(open), secret: undefined }
}
