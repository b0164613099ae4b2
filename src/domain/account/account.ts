/** An account: a person who signs in, and their place in projects. */
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
  /** false: whoever made the account, or changed its email, may have typed the address of somebody else */
  readonly isEmailConfirmed: boolean
  /** argon2id in PHC format; null: no sign-in by password */
  readonly passwordHash: string | null
  /** sees every project, as its owner does */
  readonly isAdministrator: boolean
  /** IANA time zone of the pages */
  readonly tz: string
  readonly theme: Theme
  /** false: pages ignore single keys */
  readonly hasShortcuts: boolean
  /** null: its owner wants none */
  readonly morningMail: MorningMail | null
  /** of the list of checks */
  readonly listRows: ListRows
  /** likewise */
  readonly listPicture: ListPicture
  readonly createdAt: Instant
  /** nobody signs in with it, and its sessions have ended */
  readonly isSuspended: boolean
  /** the authenticator app that gives its second factor; null: there is none */
  readonly totp: Totp | null
  /** exact to five minutes; null: never */
  readonly lastSeenAt: Instant | null
}

/** The account once somebody has opened a link to its address. What may be a stranger's goes, since the owner never confirmed the address. */
export function withProvenEmail(account: Account): Account {
  return account.isEmailConfirmed ? account : { ...account, isEmailConfirmed: true, passwordHash: null, totp: null }
}

/** Time-based codes (RFC 6238). */
export interface Totp {
  /** base32 (RFC 4648) */
  readonly secret: string
  /** of the last code that was accepted, as none counts twice; null: none was */
  readonly usedStep: number | null
}

/** An account's place in a project. */
export interface Member {
  readonly accountId: string
  readonly projectId: string
  readonly role: Role
  readonly createdAt: Instant
}

export const EMAIL_LIMIT = 254
/** Whether the address exists is for the mail server to say. */
export const Email = Text({
  maxLength: EMAIL_LIMIT,
  pattern: MAIL_ADDRESS_PATTERN,
  means: 'an email address',
})

/** The stored form of an email that somebody types. Mail goes to this form, so a proof is of it. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase()
}

/**
 * The stored form of an email that is compared as it comes, such as one for which an OpenID provider vouches. Only the case of ASCII
 * letters makes no difference: two texts that differ otherwise may be the addresses of two people. The lower case of U+212A KELVIN SIGN,
 * for example, is k.
 * @returns null for a text that is no email as it stands, or has capitals outside ASCII
 */
export function exactEmail(text: string): string | null {
  const email = text.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
  return fits(Email, email) && email === normalizeEmail(email) ? email : null
}

export function accountExists(email: string): Refusal {
  return new Refusal('account-exists', `there is already an account of ${email}`, { name: email })
}

/** @param meant the email of an account that was probably meant, for somebody who may see all of them */
export function accountNotFound(name: string, meant?: string): Refusal {
  return new Refusal('account-not-found', `there is no account of "${name}"`, { name, meant })
}
