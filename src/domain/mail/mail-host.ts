/** Parses the mail server setting: a host name, an IP address or a URL. */

/** The parts of EMAIL_HOST. A part that is null comes from another setting. */
export interface MailHost {
  /** host name or IP address, without the brackets used in a URL */
  readonly host: string
  readonly port: number | null
  /** true if the URL begins with `smtps:` */
  readonly isTls: boolean
  readonly user: string | null
  readonly password: string | null
}

const NAME = /^[\p{L}\p{N}_](?:[\p{L}\p{N}._-]*[\p{L}\p{N}_.])?$/u
const IPV6 = /^\[?([0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*)\]?$/i
const DEFAULT_TLS_PORT = 465

/**
 * @param given a host, such as `mail.example.org`, or a URL, such as `smtps://user:password@mail.example.org:465`
 * @returns null for any other text
 */
export function parseMailHost(given: string): MailHost | null {
  if (/^smtps?:\/\//i.test(given)) return parseUrl(given)
  const host = IPV6.exec(given)?.[1] ?? (NAME.test(given) ? given : null)
  return host === null ? null : { host, port: null, isTls: false, user: null, password: null }
}

function parseUrl(given: string): MailHost | null {
  if (!URL.canParse(given)) return null
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(given)
  if (hostname === '' || pathname.length > 1 || search !== '' || hash !== '' || port === '0') return null
  const isTls = protocol === 'smtps:'
  try {
    return {
      host: decodeURIComponent(hostname.replace(/^\[(.*)\]$/, '$1')),
      port: port === '' ? (isTls ? DEFAULT_TLS_PORT : null) : Number(port),
      isTls,
      user: decodeURIComponent(username) || null,
      password: decodeURIComponent(password) || null,
    }
  } catch {
    // The URL contains an unencoded `%`, for example in the password.
    return null
  }
}
