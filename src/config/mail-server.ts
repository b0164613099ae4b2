/** Settings of the mail server that sends this server's emails. */
import { isMailAddress, type Mailbox, parseMailbox } from '../domain/email-address.ts'
import { type MailHost, parseMailHost } from '../domain/mail/mail-host.ts'
import type { EnvironmentMail, MailVariables } from '../domain/mail/mail-server.ts'
import { flag, text, wholeNumber } from './parsers.ts'
import { isGiven, type Settings } from './settings.ts'

export function readMailServer(settings: Settings, siteRoot: string): EnvironmentMail {
  const host = settings.get('EMAIL_HOST', null, mailHost)
  const useSsl = settings.get('EMAIL_USE_SSL', 'False', flag)
  const useTls = settings.get('EMAIL_USE_TLS', useSsl ? 'False' : 'True', flag)
  if (useSsl && useTls)
    settings.problems.push('EMAIL_USE_SSL: is True, and EMAIL_USE_TLS too; set one of them to False')
  const givenPort = settings.get('EMAIL_PORT', useSsl ? '465' : '587', wholeNumber(1, 65_535))
  const port = host?.port ?? givenPort
  const givenUser = settings.get('EMAIL_HOST_USER', null, text(320))
  const givenPassword = settings.get('EMAIL_HOST_PASSWORD', null, text(1000))
  const user = host?.user ?? givenUser
  const password = host?.password ?? givenPassword
  const from = settings.get('DEFAULT_FROM_EMAIL', defaultSender(user, siteRoot), mailbox)
  const encryption = host?.isTls || useSsl ? 'tls' : useTls ? 'starttls' : 'none'
  const variables = variablesOf(settings, host)
  if (host === null) return { server: null, port, encryption, from, variables }
  if ((user === null) !== (password === null)) {
    const [given, missing] = user === null ? ['PASSWORD', 'USER'] : ['USER', 'PASSWORD']
    settings.warnings.push(
      `EMAIL_HOST_${given} is set, but EMAIL_HOST_${missing} is not: Overdue does not log in to the mail server`,
    )
  }
  const login = user === null || password === null ? null : { user, password }
  return { server: { host: host.host, port, encryption, login, from }, port, encryption, from, variables }
}

/** @param host parsed EMAIL_HOST; the parts of its URL override the other variables */
function variablesOf({ shown }: Settings, host: MailHost | null): MailVariables {
  const first = (...names: readonly string[]) => names.find((name) => isGiven(shown, name)) ?? null
  const url = (isInUrl: boolean | undefined) => (isInUrl ? 'EMAIL_HOST' : null)
  return {
    host: first('EMAIL_HOST'),
    port: url(host?.port != null) ?? first('EMAIL_PORT'),
    encryption: url(host?.isTls) ?? first('EMAIL_USE_SSL', 'EMAIL_USE_TLS'),
    user: url(host?.user != null) ?? first('EMAIL_HOST_USER'),
    password: url(host?.password != null) ?? first('EMAIL_HOST_PASSWORD'),
    from: first('DEFAULT_FROM_EMAIL'),
  }
}

/** Returns the default sender. Most mail servers accept only the address of the user who logs in. */
function defaultSender(user: string | null, siteRoot: string): string {
  if (user !== null && isMailAddress(user)) return user
  const { hostname } = new URL(siteRoot)
  const address = `overdue@${hostname}`
  const isDomain = isMailAddress(address) && !/^[\d.]+$/.test(hostname)
  return isDomain ? address : 'overdue@localhost'
}

/** Parses the mail server's address. Error messages don't quote it, because a URL contains the password. */
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
