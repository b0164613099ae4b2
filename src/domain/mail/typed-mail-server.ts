/** Validates the mail server settings that an administrator typed. */
import { parseMailbox } from '../email-address.ts'
import { parseMailHost } from './mail-host.ts'
import { ENCRYPTIONS, type EnvironmentMail, type MailServer, usualPort } from './mail-server.ts'

/** The form's fields, in order. */
export const MAIL_FIELDS = ['host', 'encryption', 'port', 'user', 'password', 'from'] as const
type MailField = (typeof MAIL_FIELDS)[number]

export type TypedMailServer = Readonly<Record<MailField, string>>

/** Error messages that say what to type instead, by field. */
export type MailMistakes = Readonly<Partial<Record<MailField, string>>>

export const HOST_LIMIT = 253
export const USER_LIMIT = 320
export const PASSWORD_LIMIT = 1000
export const SENDER_LIMIT = 320

type Read = { readonly server: MailServer } | { readonly mistakes: MailMistakes }

/**
 * @param stored the previous settings; if the password field is empty, their password is kept
 * @param environment variables that set the port, encryption and sender, which the form can't change
 */
export function readTypedMailServer(
  typed: TypedMailServer,
  stored: MailServer | null,
  environment: EnvironmentMail,
): Read {
  const { variables } = environment
  const host = hostOf(typed.host.trim())
  const encryption =
    variables.encryption === null ? ENCRYPTIONS.find((known) => known === typed.encryption) : environment.encryption
  const port = variables.port === null ? portOf(typed.port.trim(), encryption) : environment.port
  const from = variables.from === null ? senderOf(typed.from) : environment.from
  const user = typed.user.trim()
  const kept = host === null ? null : keptPassword(stored, { host, user, encryption })
  const password = typed.password === '' ? kept : typed.password
  const mistakes: MailMistakes = {
    ...(host === null ? { host: hostMistake(typed.host.trim()) } : {}),
    ...(encryption === undefined ? { encryption: 'Choose one from the list.' } : {}),
    ...(port === null ? { port: 'A port is a number from 1 to 65535. Leave it empty for the usual one.' } : {}),
    ...(user.length > USER_LIMIT ? { user: `Use at most ${USER_LIMIT} characters.` } : {}),
    ...passwordMistake(typed, user, password, stored),
    ...(from === null ? { from: 'Use an address such as alerts@example.org, or Overdue <alerts@example.org>.' } : {}),
  }
  if (host === null || encryption === undefined || port === null || from === null || hasAny(mistakes))
    return { mistakes }
  const login = user === '' || password === null ? null : { user, password }
  return { server: { host, port, encryption, login, from } }
}

function hasAny(mistakes: MailMistakes): boolean {
  return Object.keys(mistakes).length > 0
}

function hostOf(text: string): string | null {
  const isUrl = text.includes('//')
  return isUrl || text.length > HOST_LIMIT ? null : (parseMailHost(text)?.host ?? null)
}

function hostMistake(text: string): string {
  const example = 'the name of the server alone, such as mail.example.org, or its address.'
  if (text === '') return `Enter ${example}`
  return text.includes(':')
    ? `Enter ${example} Port and login have their own fields.`
    : `This is not the name of a server. Enter ${example}`
}

function portOf(text: string, encryption: MailServer['encryption'] | undefined): number | null {
  if (text === '') return usualPort(encryption ?? 'starttls')
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65_535 ? port : null
}

function senderOf(text: string): MailServer['from'] | null {
  return text.length > SENDER_LIMIT ? null : parseMailbox(text)
}

/**
 * Returns the stored password if the server and the user are the same. Null if they differ, or if the connection would no longer be
 * encrypted, because a user who doesn't know the password could otherwise have it sent to their own server.
 */
function keptPassword(
  stored: MailServer | null,
  { host, user, encryption }: { host: string; user: string; encryption: MailServer['encryption'] | undefined },
): string | null {
  if (stored === null || stored.login === null) return null
  const isSame = stored.host === host && stored.login.user === user
  const isWeaker = encryption === 'none' && stored.encryption !== 'none'
  return isSame && !isWeaker ? stored.login.password : null
}

function passwordMistake(
  typed: TypedMailServer,
  user: string,
  password: string | null,
  stored: MailServer | null,
): MailMistakes {
  if (typed.password.length > PASSWORD_LIMIT) return { password: `Use at most ${PASSWORD_LIMIT} characters.` }
  if (user === '')
    return typed.password === '' ? {} : { user: 'A password needs a user. Enter a user, or leave the password empty.' }
  if (password !== null) return {}
  return {
    password:
      stored === null || stored.login === null
        ? 'A user needs a password. Enter a password, or leave the user empty.'
        : 'Enter the password again. It is kept only for the same user of the same server, and never for an unencrypted connection.',
  }
}
