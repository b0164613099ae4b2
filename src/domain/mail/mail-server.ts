/**
 * The mail server that sends Overdue's emails: the settings from the environment and from administrators, and the rules for which of them
 * apply.
 */
import type { Mailbox } from '../email-address.ts'

/**
 * Encryption of the connection, in the order shown in forms. `tls`: the connection is encrypted from the first byte. `starttls`: encryption
 * starts before credentials or emails are sent. `none`: the connection is never encrypted.
 */
export const ENCRYPTIONS = ['starttls', 'tls', 'none'] as const
export type Encryption = (typeof ENCRYPTIONS)[number]

interface MailLogin {
  readonly user: string
  readonly password: string
}

export interface MailServer {
  /** host name or IP address, without the brackets used in a URL */
  readonly host: string
  readonly port: number
  readonly encryption: Encryption
  readonly login: MailLogin | null
  readonly from: Mailbox
}

/** The place where the settings can be changed. */
export type MailSource = 'environment' | 'page'

export interface MailInUse {
  readonly server: MailServer
  readonly source: MailSource
}

/** Names of the environment variables that set each part. Null: the part is not set by a variable. */
export type MailVariables = Readonly<
  Record<'host' | 'port' | 'encryption' | 'user' | 'password' | 'from', string | null>
>

/** Settings from the environment. They may apply to a server that administrators configured. */
export interface EnvironmentMail extends Pick<MailServer, 'port' | 'encryption' | 'from'> {
  /** server named by EMAIL_HOST, which overrides administrators' settings; null: EMAIL_HOST is not set */
  readonly server: MailServer | null
  readonly variables: MailVariables
}

/**
 * Returns the mail server to use. If the environment names a server, only the environment's settings apply, so that credentials are never
 * sent to another server. Otherwise, returns the server that administrators configured. In that case, the environment can override the
 * port, encryption and sender.
 * @returns null if no mail server is configured
 */
export function mailInUse(environment: EnvironmentMail, stored: MailServer | null): MailInUse | null {
  if (environment.server !== null) return { server: environment.server, source: 'environment' }
  return stored && { server: withEnvironment(stored, environment), source: 'page' }
}

function withEnvironment(stored: MailServer, { variables, port, encryption, from }: EnvironmentMail): MailServer {
  return {
    ...stored,
    ...(variables.port === null ? {} : { port }),
    ...(variables.encryption === null ? {} : { encryption }),
    ...(variables.from === null ? {} : { from }),
  }
}

/** Returns the standard port for this encryption. */
export function usualPort(encryption: Encryption): number {
  return { starttls: 587, tls: 465, none: 25 }[encryption]
}

/** Returns the host and port, such as `mail.example.org:587`. */
export function addressOf({ host, port }: Pick<MailServer, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Formats a mailbox, such as `Overdue <alerts@example.org>`. */
export function mailboxWords({ name, address }: Mailbox): string {
  return name === '' ? address : `${name} <${address}>`
}
