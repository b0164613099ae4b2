/** The mail server that sends our email: what the environment and administrators say of it, and which of them counts. */
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

/** Where its settings are changed. */
export type MailSource = 'environment' | 'page'

export interface MailInUse {
  readonly server: MailServer
  readonly source: MailSource
}

/** The variable that says each part; null: none does. */
export type MailVariables = Readonly<
  Record<'host' | 'port' | 'encryption' | 'user' | 'password' | 'from', string | null>
>

/** The part that the environment may say of a server which administrators have set. */
export interface EnvironmentMail extends Pick<MailServer, 'port' | 'encryption' | 'from'> {
  /** null: EMAIL_HOST is not set. If it is, the environment says all of the server */
  readonly server: MailServer | null
  readonly variables: MailVariables
}

/**
 * The server of the environment, if that names one: a login goes to no other server than it was meant for. Otherwise the one that
 * administrators have set, of which the environment may say port, encryption and sender.
 * @returns null when no email is sent
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

/** The port at which servers usually expect it. */
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
