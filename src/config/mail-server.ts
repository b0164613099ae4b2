/** Settings of the mail server that sends our email. */
import { isMailAddress, type Mailbox, parseMailbox } from '../domain/email-address.ts'
import { flag, text, wholeNumber } from './parsers.ts'
import type { Settings } from './settings.ts'

export interface MailServer {
  /** a name or an address, without the brackets of a URL */
  readonly host: string
  readonly port: number
  /** `tls` from the first byte, `starttls` before anything else is sent, or `none` */
  readonly encryption: 'tls' | 'starttls' | 'none'
  readonly login: { readonly user: string; readonly password: string } | null
  readonly from: Mailbox
}

/** What EMAIL_HOST says, a host name or a URL; null: other settings say it. */
interface MailHost {
  readonly host: string
  readonly port: number | null
  /** true for `smtps:` */
  readonly isTls: boolean
  readonly user: string | null
  readonly password: string | null
}

/** @returns null when no email is sent */
export function readMailServer(settings: Settings, siteRoot: string): MailServer | null {
  const host = settings.get('EMAIL_HOST', null, mailHost)
  const useSsl = settings.get('EMAIL_USE_SSL', 'False', flag)
  const useTls = settings.get('EMAIL_USE_TLS', useSsl ? 'False' : 'True', flag)
  if (useSsl && useTls)
    settings.problems.push('EMAIL_USE_SSL: is True, and EMAIL_USE_TLS too; set one of them to False')
  const port = settings.get('EMAIL_PORT', useSsl ? '465' : '587', wholeNumber(1, 65_535))
  const givenUser = settings.get('EMAIL_HOST_USER', null, text(320))
  const givenPassword = settings.get('EMAIL_HOST_PASSWORD', null, text(1000))
  const user = host?.user ?? givenUser
  const password = host?.password ?? givenPassword
  const from = settings.get('DEFAULT_FROM_EMAIL', defaultSender(user, siteRoot), mailbox)
  if (host === null) return null
  if ((user === null) !== (password === null)) {
    const [given, missing] = user === null ? ['PASSWORD', 'USER'] : ['USER', 'PASSWORD']
    settings.warnings.push(
      `EMAIL_HOST_${given} is set, but EMAIL_HOST_${missing} is not: Overdue does not log in to the mail server`,
    )
  }
  return {
    host: host.host,
    port: host.port ?? port,
    encryption: host.isTls || useSsl ? 'tls' : useTls ? 'starttls' : 'none',
    login: user === null || password === null ? null : { user, password },
    from,
  }
}

/** Most mail servers accept only the user's own address as the sender. */
function defaultSender(user: string | null, siteRoot: string): string {
  if (user !== null && isMailAddress(user)) return user
  const { hostname } = new URL(siteRoot)
  const address = `overdue@${hostname}`
  const isDomain = isMailAddress(address) && !/^[\d.]+$/.test(hostname)
  return isDomain ? address : 'overdue@localhost'
}

/** Errors don't quote it: a URL holds the password. */
function mailHost(given: string): MailHost {
  const host = given.length > 1000 ? null : parseMailHost(given)
  if (host) return host
  throw new Error(
    'is neither a host name nor an SMTP URL; use mail.example.org or smtps://user:password@mail.example.org:465' +
      ' (percent-encode special characters in the password of a URL)',
  )
}

function mailbox(given: string): Mailbox {
  const sender = parseMailbox(given)
  if (sender) return sender
  throw new Error(`"${given}" is not a sender; use alerts@example.org or Overdue <alerts@example.org>`)
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
    // A % in a password that was not percent-encoded.
    return null
  }
}
