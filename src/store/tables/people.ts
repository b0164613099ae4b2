/** Tables about users: accounts, and the ways to sign in to them. */
import type { Account, Member } from '../../domain/account/account.ts'
import type { Identity } from '../../domain/account/identity.ts'
import type { Passkey } from '../../domain/account/passkey.ts'
import type { Role } from '../../domain/account/role.ts'
import { type Session, SIGN_IN_METHODS, type SignInMethod } from '../../domain/account/session.ts'
import type { TokenPurpose } from '../../domain/account/token.ts'
import type { PlannedMorningMail } from '../../domain/morning/morning-mail.ts'
import type { Instant } from '../../lib/time.ts'
import { columnsOrNull, flag, instant, json, named, number, orNull, table, text, word } from '../sql/columns.ts'

export const ACCOUNTS = table<Account>('accounts', 'id', {
  id: text,
  email: text,
  passwordHash: orNull(text),
  isAdministrator: flag,
  tz: text,
  theme: word(),
  hasShortcuts: flag,
  listRows: word(),
  listPicture: word(),
  createdAt: instant,
  isSuspended: flag,
  totp: columnsOrNull({ secret: named('totp_secret', text), usedStep: named('totp_step', orNull(number)) }),
  lastSeenAt: orNull(instant),
  isEmailConfirmed: flag,
  morningMail: columnsOrNull({ wish: named('morning_mail', word()), hour: named('morning_hour', number) }),
})

export const MORNING_MAILS = table<PlannedMorningMail>('morning_mails', 'account_id', {
  accountId: text,
  dueAt: instant,
  attempts: number,
  nextAttemptAt: instant,
  error: orNull(text),
})

export const MEMBERS = table<Member>('members', 'account_id project_id', {
  accountId: text,
  projectId: text,
  role: word(),
  createdAt: instant,
})

export const SESSIONS = table<Session>('sessions', 'lookup', {
  lookup: text,
  accountId: text,
  createdAt: instant,
  lastSeenAt: instant,
  address: named('remote_addr', orNull(text)),
  userAgent: named('ua', text),
  method: {
    read: (stored: string) => SIGN_IN_METHODS.find((method) => method === stored) ?? null,
    write: (method: SignInMethod | null) => method ?? '',
  },
  confirmedAt: orNull(instant),
})

/** A stored token. `schema.sql` describes the columns that each purpose uses. */
export interface StoredToken {
  readonly lookup: string
  readonly purpose: TokenPurpose | 'invitation' | 'ownership-offer' | 'recovery-code'
  readonly accountId: string | null
  readonly projectId: string | null
  readonly madeBy: string | null
  readonly email: string | null
  readonly role: Role | null
  readonly data: string | null
  readonly createdAt: Instant | null
  readonly expiresAt: Instant | null
}

export const TOKENS = table<StoredToken>('tokens', 'lookup', {
  lookup: text,
  purpose: word(),
  accountId: orNull(text),
  projectId: orNull(text),
  madeBy: orNull(text),
  email: orNull(text),
  role: orNull(word()),
  data: orNull(text),
  createdAt: orNull(instant),
  expiresAt: orNull(instant),
})

export const PASSKEYS = table<Passkey>('passkeys', 'id', {
  id: text,
  accountId: text,
  name: text,
  publicKey: text,
  counter: number,
  transports: json(),
  createdAt: instant,
  lastUsedAt: orNull(instant),
})

export const IDENTITIES = table<Identity>('identities', 'issuer subject', {
  issuer: text,
  subject: text,
  accountId: text,
  createdAt: instant,
  lastUsedAt: orNull(instant),
})
