/** An account: a user who can sign in, and the projects they belong to. */
import type { Instant } from '../../lib/time.ts'
import { MAIL_ADDRESS_PATTERN } from '../email-address.ts'
import { Refusal } from '../errors.ts'
import { fits, Text } from '../schema.ts'
import type { MorningMail } from './morning-setting.ts'
import type { Role } from './role.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** Row heights for lists of checks. */
export const LIST_ROWS = ['dense', 'roomy'] as const
export type ListRows = (typeof LIST_ROWS)[number]

/** Pictures that can be shown at the end of each row in a list of checks. */
export const LIST_PICTURES = ['runs', '24h'] as const
export type ListPicture = (typeof LIST_PICTURES)[number]

export interface Account {
  /** lowercase UUID */
  readonly id: string
  /** email address in lower case */
  readonly email: string
  /** false: the user has not opened a link sent to this address yet, so it may belong to somebody else */
  readonly isEmailConfirmed: boolean
  /** argon2id hash in PHC format; null: the user can't sign in with a password */
  readonly passwordHash: string | null
  /** true: the user has owner rights in every project */
  readonly isAdministrator: boolean
  /** IANA time zone used to show times on pages */
  readonly tz: string
  readonly theme: Theme
  /** false: the user turned keyboard shortcuts off */
  readonly hasShortcuts: boolean
  /** when to send the morning mail; null: never */
  readonly morningMail: MorningMail | null
  /** row height of the list of checks */
  readonly listRows: ListRows
  /** picture at the end of each row in the list of checks */
  readonly listPicture: ListPicture
  readonly createdAt: Instant
  /** true: an administrator suspended the account; this ended its sessions and blocks sign-in */
  readonly isSuspended: boolean
  /** authenticator app used as the second factor; null: none */
  readonly totp: Totp | null
  /** time of the last visit, accurate to within five minutes; null: never */
  readonly lastSeenAt: Instant | null
}

/**
 * Returns the account's state after its owner opened an emailed link. If the address had not been confirmed yet, removes the password and
 * the authenticator app, because a stranger may have set them up.
 */
export function withProvenEmail(account: Account): Account {
  return account.isEmailConfirmed ? account : { ...account, isEmailConfirmed: true, passwordHash: null, totp: null }
}

/** An authenticator app that generates time-based codes (RFC 6238). */
export interface Totp {
  /** base32 (RFC 4648) */
  readonly secret: string
  /** time step of the last accepted code, so that the code can't be reused; null: no code has been accepted yet */
  readonly usedStep: number | null
}

/** An account's membership in a project. */
export interface Member {
  readonly accountId: string
  readonly projectId: string
  readonly role: Role
  readonly createdAt: Instant
}

export const EMAIL_LIMIT = 254
/** A syntactically valid email address. Whether the mailbox exists is not checked. */
export const Email = Text({
  maxLength: EMAIL_LIMIT,
  pattern: MAIL_ADDRESS_PATTERN,
  means: 'an email address',
})

/** Normalizes an email for storage. Mail is sent to the normalized address, so opening an emailed link proves that the user owns it. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase()
}

/**
 * Returns the stored form of an email that must match exactly, such as one verified by an OpenID provider. Only the case of ASCII letters
 * is ignored, because emails that differ in other ways may belong to different people. For example, U+212A KELVIN SIGN becomes k in lower
 * case.
 * @returns null if the text is not an email or has capital letters outside ASCII
 */
export function exactEmail(text: string): string | null {
  const email = text.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
  return fits(Email, email) && email === normalizeEmail(email) ? email : null
}

export function accountExists(email: string): Refusal {
  return new Refusal('account-exists', `an account of ${email} exists already`, { name: email })
}

/** @param meant the email of an account with a similar name, shown as a hint to administrators */
export function accountNotFound(name: string, meant?: string): Refusal {
  return new Refusal('account-not-found', `there is no account of "${name}"`, { name, meant })
}
