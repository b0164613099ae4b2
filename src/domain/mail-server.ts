/** The server that takes our mails, as the operator names it. */
import type { Mailbox } from './mail-address.ts'

export interface MailServer {
  /** a name or an address, without the brackets of a URL */
  readonly host: string
  readonly port: number
  /** `tls` from the first byte, `starttls` before anything else is said, or nothing on purpose */
  readonly encryption: 'tls' | 'starttls' | 'none'
  readonly login: { readonly user: string; readonly password: string } | null
  readonly from: Mailbox
}

/** What a host name alone, or a whole URL, says about the server; null is what it leaves to other settings. */
export interface MailHost {
  readonly host: string
  readonly port: number | null
  /** true for `smtps:` */
  readonly isTls: boolean
  readonly user: string | null
  readonly password: string | null
}

const NAME = /^[\p{L}\p{N}_](?:[\p{L}\p{N}._-]*[\p{L}\p{N}_.])?$/u
const IPV6 = /^\[?([0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*)\]?$/i
const DEFAULT_TLS_PORT = 465

/** @param given `mail.example.org`, or `smtps://user:password@mail.example.org:465`. @returns null for anything else */
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
    // A % that begins no code: a password that was not encoded.
    return null
  }
}
