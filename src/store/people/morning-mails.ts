/**
 * Stores when each account's morning mail is due. Changing the account's settings schedules the mail, a claim reserves it for one attempt,
 * and recording the attempt's result schedules the next one.
 */
import type { Account } from '../../domain/account/account.ts'
import {
  type MorningResult,
  movedMorning,
  type PlannedMorningMail,
  plannedMorning,
} from '../../domain/morning/morning-mail.ts'
import { type Instant, isBefore, toMicroseconds } from '../../lib/time.ts'
import type { MorningOrder } from '../interface/accounts.ts'
import type { Sql } from '../sql/database.ts'
import { instantOrNull } from '../sql/rows.ts'
import { ACCOUNTS, MORNING_MAILS } from '../tables/people.ts'

const FIND = 'SELECT * FROM morning_mails WHERE account_id = $1'

/** Finds an account's scheduled morning mail. @returns null if the account gets no morning mail */
export function findMorningMail(sql: Sql, accountId: string): Promise<PlannedMorningMail | null> {
  return MORNING_MAILS.get(sql, FIND, [accountId])
}

const PLAN = `
  INSERT INTO morning_mails (account_id, due_at, attempts, next_attempt_at) VALUES ($1, $2, 0, $2)
  ON CONFLICT (account_id) DO UPDATE SET due_at = excluded.due_at, attempts = 0, next_attempt_at = excluded.due_at`

/** Schedules the morning mail of an account that the same transaction has locked and changed. */
export async function planMorningMail(sql: Sql, before: Account, after: Account, now: Instant): Promise<void> {
  const planned = await findMorningMail(sql, after.id)
  const dueAt = plannedMorning(before, after, planned?.dueAt ?? null, now)
  if (dueAt === null) await sql.run('DELETE FROM morning_mails WHERE account_id = $1', [after.id])
  // An unchanged date is not written, because an attempt may be in progress.
  else if (!planned?.dueAt.equals(dueAt)) await sql.run(PLAN, [after.id, toMicroseconds(dueAt)])
}

const NEXT = 'SELECT MIN(next_attempt_at) AS next_attempt_at FROM morning_mails'

/** Returns when the next morning mail is due; null if none is scheduled. */
export async function nextMorningMailAt(sql: Sql): Promise<Instant | null> {
  const row = await sql.get<{ next_attempt_at: number | null }>(NEXT, [])
  return instantOrNull(row?.next_attempt_at ?? null)
}

/** Claims due morning mails, longest overdue first. The lease works as in `claimDeliveries`. */
export async function claimMorningMails(
  sql: Sql,
  now: Instant,
  leaseEndsAt: Instant,
  limit: number,
): Promise<MorningOrder[]> {
  const values = [toMicroseconds(now), toMicroseconds(leaseEndsAt), limit]
  const mails = await MORNING_MAILS.all(sql, sql.statements.claimMorningMails, values)
  const ids = mails.map(({ accountId }) => [accountId])
  const accounts = await ACCOUNTS.getEach(sql, 'SELECT * FROM accounts WHERE id = $1', ids)
  return mails.flatMap((mail, index): MorningOrder[] => {
    const account = accounts[index]
    return account ? [{ mail, account }] : []
  })
}

// During a lease, the time of the next attempt is the end of the lease.
const RENEW = `
  UPDATE morning_mails SET next_attempt_at = $5
  WHERE account_id = $1 AND due_at = $2 AND attempts = $3 AND next_attempt_at = $4`

/** Extends the lease of a claimed mail. @returns false if the mail was claimed again, its date was changed, or it is no longer wanted */
export async function renewMorningMail(
  sql: Sql,
  { accountId, dueAt, attempts, nextAttemptAt }: PlannedMorningMail,
  leaseEndsAt: Instant,
): Promise<boolean> {
  const [due, claimedUntil] = [toMicroseconds(dueAt), toMicroseconds(nextAttemptAt)]
  return (await sql.run(RENEW, [accountId, due, attempts, claimedUntil, toMicroseconds(leaseEndsAt)])) > 0
}

// The date may have been changed along with the setting, or the attempt may have outlived its lease.
const END = `
  UPDATE morning_mails SET due_at = $4, attempts = $5, next_attempt_at = $6, error = $7
  WHERE account_id = $1 AND due_at = $2 AND attempts = $3`

/**
 * Ends an attempt. Does nothing if the mail was claimed again. If the mail's date was changed during the attempt, the new date is kept, but
 * it may be moved to a later one if no other attempt follows.
 */
export async function recordMorningMail(sql: Sql, order: MorningOrder, result: MorningResult): Promise<void> {
  const { accountId, dueAt, attempts } = order.mail
  // Without the lock, a change to the account could schedule the mail at the same time.
  await sql.lock('account', [accountId])
  const [nextDueAt, nextAttempts, nextAttemptAt] =
    result.state === 'ended' ? [result.nextDueAt, 0, result.nextDueAt] : [dueAt, attempts, result.nextAttemptAt]
  const ended = await sql.run(END, [
    accountId,
    toMicroseconds(dueAt),
    attempts,
    toMicroseconds(nextDueAt),
    nextAttempts,
    toMicroseconds(nextAttemptAt),
    result.error,
  ])
  if (ended === 0 && result.state === 'ended') await moveOn(sql, order, result.nextDueAt, result.error)
}

const MOVE = `
  UPDATE morning_mails SET due_at = $2, attempts = 0, next_attempt_at = $2, error = $3 WHERE account_id = $1`

/**
 * Reschedules a mail whose date was changed during its last attempt, to the date that it would have if the change had been made after the
 * attempt.
 */
async function moveOn(
  sql: Sql,
  { mail, account }: MorningOrder,
  nextDueAt: Instant,
  error: string | null,
): Promise<void> {
  const planned = await findMorningMail(sql, account.id)
  const after = await ACCOUNTS.get(sql, 'SELECT * FROM accounts WHERE id = $1', [account.id])
  if (planned === null || after === null || planned.dueAt.equals(mail.dueAt)) return
  const dueAt = movedMorning(account, after, nextDueAt)
  if (dueAt === null || !isBefore(planned.dueAt, dueAt)) return
  await sql.run(MOVE, [account.id, toMicroseconds(dueAt), error])
}
