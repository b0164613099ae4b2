/** Converts Healthchecks users and their profiles to accounts. */

import { exactEmail, type Theme } from '../../domain/account/account.ts'
import type { ImportedAccount } from '../../domain/import/import-source.ts'
import type { ReminderPeriod } from '../../domain/mail/mail-channel.ts'
import { REPORT_PERIODS, type ReportPeriod } from '../../domain/mail/report-period.ts'
import { canonicalTimeZone } from '../../domain/schedule/time-zones.ts'
import { isArgon2, isPbkdf2 } from '../../lib/secrets/foreign-password.ts'
import { type Instant, later } from '../../lib/time.ts'
import type { Note } from './notes.ts'
import type { SourceRow } from './tables.ts'
import { durationOf, flagOf, instantOf, integerOf, textOf } from './values.ts'

/** A user, and the settings from the user's profile for projects and emails. */
export interface SourceUser {
  readonly account: ImportedAccount
  /** limit for all projects that the user owns; null if the user has no profile */
  readonly pingLogLimit: number | null
  readonly report: ReportPeriod | null
  readonly reminder: ReminderPeriod | null
}

interface UserTables {
  readonly users: readonly SourceRow[]
  readonly profiles: readonly SourceRow[]
  readonly credentials: readonly SourceRow[]
}

/** @param now creation time for accounts that have none @returns users by id; two ids may map to the same account */
export function mapUsers(tables: UserTables, now: Instant, note: Note): ReadonlyMap<string, SourceUser> {
  const profiles = new Map(tables.profiles.map((row) => [row.user_id, row]))
  const users = new Map<string, SourceUser>()
  const byEmail = new Map<string, SourceUser>()
  for (const row of tables.users) {
    const email = exactEmail(textOf(row.email))
    if (email === null) {
      const name = textOf(row.username)
      const reason = 'The user has no valid email address to sign in with. Capitals other than A to Z are not allowed.'
      note({ kind: 'left-out', subject: 'account', name, reason, advice: 'Give the user an address and import again.' })
      continue
    }
    const namesake = byEmail.get(email)
    if (namesake) {
      const reason = 'Another user has the same address. Both become one account, with the settings of the older one.'
      note({ kind: 'changed', subject: 'account', name: email, reason })
    }
    const user = namesake ?? userOf(row, email, profiles.get(row.id), now, note)
    byEmail.set(email, user)
    users.set(textOf(row.id), user)
  }
  noteCredentials(tables.credentials, users, note)
  return users
}

function userOf(row: SourceRow, email: string, profile: SourceRow | undefined, now: Instant, note: Note): SourceUser {
  const createdAt = instantOf(row.date_joined) ?? now
  const signedIn = instantOf(row.last_login)
  const seen = instantOf(profile?.last_active_date)
  const account: ImportedAccount = {
    email,
    ...credentialsOf(textOf(row.password), textOf(profile?.totp), email, note),
    isAdministrator: flagOf(row.is_superuser),
    tz: zoneOf(textOf(profile?.tz), email, note),
    theme: themeOf(profile),
    createdAt,
    isSuspended: row.is_active !== undefined && !flagOf(row.is_active),
    lastSeenAt: signedIn === null ? seen : later(signedIn, seen),
  }
  return {
    account,
    pingLogLimit: integerOf(profile?.ping_log_limit),
    report: REPORT_PERIODS.find((period) => period === profile?.reports) ?? null,
    reminder: reminderOf(profile?.nag_period),
  }
}

const BASE32 = /^[A-Z2-7]{16,128}$/

/** Returns the credentials of an account. If the account had a second factor, its password alone must not suffice to sign in. */
function credentialsOf(
  password: string,
  totp: string,
  email: string,
  note: Note,
): Pick<ImportedAccount, 'passwordHash' | 'totpSecret'> {
  const secret = totp.replace(/[\s=]/g, '').toUpperCase()
  if (secret === '') return { passwordHash: passwordHash(password, email, note), totpSecret: null }
  if (BASE32.test(secret)) return { passwordHash: passwordHash(password, email, note), totpSecret: secret }
  const reason = 'The secret of their authenticator app cannot be read, so the password is not imported either.'
  note({ kind: 'to-do', subject: 'account', name: email, reason, advice: 'Give the account a new password.' })
  return { passwordHash: null, totpSecret: null }
}

const ARGON2 = 'argon2$'

/**
 * Returns an Argon2 hash in PHC format, or Django's PBKDF2 hash unchanged. Returns null if there is no hash, or if Overdue cannot verify
 * passwords with it.
 */
function passwordHash(stored: string, email: string, note: Note): string | null {
  const phc = stored.startsWith(ARGON2) ? stored.slice(ARGON2.length - 1) : ''
  if (isArgon2(phc)) return phc
  if (isPbkdf2(stored)) return stored
  // `!` means that the user has no password.
  if (stored === '' || stored.startsWith('!')) return null
  const method = /^[a-z0-9_]{1,30}(?=\$)/.exec(stored)?.[0] ?? 'an unknown method'
  const reason = `The password was hashed by ${method} in a way that Overdue does not support.`
  note({ kind: 'to-do', subject: 'account', name: email, reason, advice: 'Give the account a new password.' })
  return null
}

function zoneOf(name: string, email: string, note: Note): string {
  if (name === '') return 'UTC'
  const zone = canonicalTimeZone(name)
  if (zone === null) {
    const reason = `The time zone ${name} is unknown; the account gets UTC.`
    note({ kind: 'changed', subject: 'account', name: email, reason })
  }
  return zone ?? 'UTC'
}

/** Returns the theme. It is light if the profile contains no choice. */
function themeOf(profile: SourceRow | undefined): Theme {
  if (profile?.theme === 'dark' || profile?.theme === 'system') return profile.theme
  return profile === undefined ? 'system' : 'light'
}

const HOUR = 3_600_000_000

function reminderOf(period: SourceRow[string]): ReminderPeriod | null {
  const microseconds = durationOf(period) ?? 0
  if (microseconds <= 0) return null
  return microseconds <= HOUR ? 'hourly' : 'daily'
}

function noteCredentials(credentials: readonly SourceRow[], users: ReadonlyMap<string, SourceUser>, note: Note): void {
  const owners = new Set(credentials.flatMap((row) => users.get(textOf(row.user_id))?.account.email ?? []))
  for (const name of owners) {
    const reason = 'Security keys are bound to the host name of the old server, and are not imported.'
    const advice = 'Add a passkey after signing in.'
    note({ kind: 'left-out', subject: 'account', name, reason, advice })
  }
}
