/** The rows of accounts. */
import type { Account, Theme } from '../../domain/account/account.ts'
import { fromMicroseconds } from '../../lib/time.ts'
import { instantOrNull } from '../sql/rows.ts'

export interface AccountRow {
  id: string
  email: string
  password_hash: string | null
  is_administrator: number
  tz: string
  theme: Theme
  has_shortcuts: number
  created_at: number
  is_suspended: number
  totp_secret: string | null
  totp_step: number | null
  last_seen_at: number | null
  is_email_confirmed: number
}

export function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    email: row.email,
    passwordHash: row.password_hash,
    isAdministrator: row.is_administrator !== 0,
    tz: row.tz,
    theme: row.theme,
    hasShortcuts: row.has_shortcuts !== 0,
    createdAt: fromMicroseconds(row.created_at),
    isSuspended: row.is_suspended !== 0,
    totp: row.totp_secret === null ? null : { secret: row.totp_secret, usedStep: row.totp_step },
    lastSeenAt: instantOrNull(row.last_seen_at),
    isEmailConfirmed: row.is_email_confirmed !== 0,
  }
}
