/** An account: a person who signs in, with the projects they belong to. */
import type { Instant } from '../../lib/time.ts'
import { MAIL_ADDRESS_PATTERN } from '../email-address.ts'
import { Refusal } from '../errors.ts'
import { fits, Text } from '../schema.ts'
import type { MorningMail } from './morning-setting.ts'
import type { Role } from './role.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** Heights of the rows of a list. */
export const LIST_ROWS = ['dense', 'roomy'] as const
export type ListRows = (typeof LIST_ROWS)[number]

/** The picture at the end of a row of a list. */
export const LIST_PICTURES = ['runs', '24h'] as const
export type ListPicture = (typeof LIST_PICTURES)[number]

export interface Account {
  /** lower-case UUID */
  readonly id: string
  /** in lower case */
  readonly email: string
  /** false: the person who created the account, or changed its email, may have typed somebody else's address */
  readonly isEmailConfirmed: boolean
  /** argon2id in PHC format; null: no sign-in by password */
  readonly passwordHash: string | null
  /** true: the person sees every project, as its owner does */
  readonly isAdministrator: boolean
  /** IANA time zone of pages */
  readonly tz: string
  readonly theme: Theme
  /** false: pages ignore single keys */
  readonly hasShortcuts: boolean
  /** null: the owner wants none */
  readonly morningMail: MorningMail | null
  /** row height of the list of checks */
  readonly listRows: ListRows
  /** picture at the end of its rows */
  readonly listPicture: ListPicture
  readonly createdAt: Instant
  /** true: nobody can sign in with it, and its sessions have ended */
  readonly isSuspended: boolean
  /** the authenticator app that is its second factor; null: none */
  readonly totp: Totp | null
  /** exact to five minutes; null: never */
  readonly lastSeenAt: Instant | null
}

/**
 * Returns the account after a link to its address was opened. Drops the password and the app of an unconfirmed account: a stranger may have
 * set them.
 */
export function withProvenEmail(account: Account): Account {
  return account.isEmailConfirmed ? account : { ...account, isEmailConfirmed: true, passwordHash: null, totp: null }
}

/** Time-based codes (RFC 6238). */
export interface Totp {
  /** base32 (RFC 4648) */
  readonly secret: string
  /** step of the last accepted code, because no code counts twice; null: none was accepted */
  readonly usedStep: number | null
}

/** Membership of an account in a project. */
export interface Member {
  readonly accountId: string
  readonly projectId: string
  readonly role: Role
  readonly createdAt: Instant
}

export const EMAIL_LIMIT = 254
/** A valid address. Only the mail server knows whether it exists. */
export const Email = Text({
  maxLength: EMAIL_LIMIT,
  pattern: MAIL_ADDRESS_PATTERN,
  means: 'an email address',
})

/** Returns the stored form of a typed email. Mail is sent to this form, so this is the form that a link proves. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase()
}

/**
 * Returns the stored form of an email that must match exactly, such as one for which an OpenID provider vouches. Ignores only the case of
 * ASCII letters: two texts that differ otherwise may be the addresses of two people. The lower case of U+212A KELVIN SIGN, for example, is
 * k.
 * @returns null for a text that is not an email or has capitals outside ASCII
 */
export function exactEmail(text: string): string | null {
  const email = text.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
  return fits(Email, email) && email === normalizeEmail(email) ? email : null
}

export function accountExists(email: string): Refusal {
  return new Refusal('account-exists', `an account of ${email} exists already`, { name: email })
}

/** @param meant the email of an account that was probably meant, for people who may see all accounts */
export function accountNotFound(name: string, meant?: string): Refusal {
  return new Refusal('account-not-found', `there is no account of "${name}"`, { name, meant })
}
