/** The rows of accounts. */
import type { Account, Theme } from '../domain/account/account.ts'
import { fromMicroseconds } from '../lib/time.ts'

export interface AccountRow {
  id: string
  email: string
  password_hash: string | null
  is_administrator: number
  tz: string
  theme: Theme
  has_shortcuts: number
  created_at: number
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
  }
}
