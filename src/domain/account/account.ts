/** An account: a person who signs in, and their place in projects. */
import type { Instant } from '../../lib/time.ts'
import { Refusal } from '../errors.ts'
import { MAIL_ADDRESS_PATTERN } from '../mail/address.ts'
import { Text } from '../schema.ts'
import type { Role } from './role.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

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

/** The form in which emails are stored and compared. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase()
}

export function accountExists(email: string): Refusal {
  return new Refusal('account-exists', `there is already an account of ${email}`, { name: email })
}
