/** The mail server that sends our email: its settings in the environment and by administrators, and which of them applies. */
import type { Mailbox } from '../email-address.ts'

/** `tls` from the first byte, `starttls` before anything else is sent, or `none`; in the order of choices. */
export const ENCRYPTIONS = ['starttls', 'tls', 'none'] as const
export type Encryption = (typeof ENCRYPTIONS)[number]

interface MailLogin {
  readonly user: string
  readonly password: string
}

export interface MailServer {
  /** a name or an address, without the brackets of a URL */
  readonly host: string
  readonly port: number
  readonly encryption: Encryption
  readonly login: MailLogin | null
  readonly from: Mailbox
}

/** The place where the settings are changed. */
export type MailSource = 'environment' | 'page'

export interface MailInUse {
  readonly server: MailServer
  readonly source: MailSource
}

/** Names of the variables that set each part; null: not set by a variable. */
export type MailVariables = Readonly<
  Record<'host' | 'port' | 'encryption' | 'user' | 'password' | 'from', string | null>
>

/** The parts that the environment may set for a server which administrators have set. */
export interface EnvironmentMail extends Pick<MailServer, 'port' | 'encryption' | 'from'> {
  /** null: EMAIL_HOST is not set. If it is, the environment sets the whole server */
  readonly server: MailServer | null
  readonly variables: MailVariables
}

/**
 * Returns the server of the environment, if it names one: a login is only sent to the server that it was meant for. Otherwise returns the
 * server that administrators have set, whose port, encryption and sender the environment may override.
 * @returns null if no email is sent
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

/** Returns the port at which servers usually offer this encryption. */
export function usualPort(encryption: Encryption): number {
  return { starttls: 587, tls: 465, none: 25 }[encryption]
}

/** `mail.example.org:587` */
export function addressOf({ host, port }: Pick<MailServer, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** `Overdue <alerts@example.org>` */
export function mailboxWords({ name, address }: Mailbox): string {
  return name === '' ? address : `${name} <${address}>`
}
