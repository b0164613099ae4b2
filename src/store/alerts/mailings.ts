/** Claims reports and reminders for an attempt, records the attempt's result, and reads the data for the emails. */
import type { Mailing, MailingEntry, MailingOrder, MailingResult } from '../../domain/mail/mailing.ts'
import type { DownCandidate } from '../../domain/mail/reminder.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import { findChannel, recordOutcome } from '../channels/channels.ts'
import { endReminders } from '../channels/mailing-dates.ts'
import { newestFlip } from '../checks/flips.ts'
import { findProject } from '../projects/projects.ts'
import { CHECKS, type CheckRow, toCheck } from '../sql/check-rows.ts'
import { columns, instant, named, number, orNull, text, word } from '../sql/columns.ts'
import type { Sql, Value } from '../sql/database.ts'
import { instantOrNull } from '../sql/rows.ts'
import { CHANNELS, FLIPS, MAILINGS } from '../tables/alerts.ts'

const NEXT = 'SELECT MIN(next_attempt_at) AS next_attempt_at FROM mailings WHERE next_attempt_at IS NOT NULL'

/** Returns when the next report or reminder is due; null if none is scheduled. */
export async function nextMailingAt(sql: Sql): Promise<Instant | null> {
  const row = await sql.get<{ next_attempt_at: number | null }>(NEXT, [])
  return instantOrNull(row?.next_attempt_at ?? null)
}

/** Claims due mailings, longest overdue first. The lease works as in `claimDeliveries`. */
export async function claimMailings(
  sql: Sql,
  now: Instant,
  leaseEndsAt: Instant,
  limit: number,
): Promise<MailingOrder[]> {
  const values = [toMicroseconds(now), toMicroseconds(leaseEndsAt), limit]
  const mailings = await MAILINGS.all(sql, sql.statements.claimMailings, values)
  const orders = await Promise.all(mailings.map((mailing) => loadOrder(sql, mailing)))
  return orders.filter((order) => order !== null)
}

async function loadOrder(sql: Sql, mailing: Mailing): Promise<MailingOrder | null> {
  const { channelId, projectId } = mailing
  const [channel, project] = await Promise.all([findChannel(sql, channelId), findProject(sql, projectId)])
  return channel && project && { mailing, channel, projectName: project.name }
}

// The date may have been changed by a flip or an edit of the channel, or the attempt may have outlived its lease.
const THIS_ATTEMPT = 'channel_id = $1 AND kind = $2 AND due_at = $3 AND attempts = $4'
const RETRY = `UPDATE mailings SET next_attempt_at = $5, error = $6 WHERE ${THIS_ATTEMPT}`
const PASS_OVER = `UPDATE mailings SET due_at = $5, attempts = 0, next_attempt_at = $5 WHERE ${THIS_ATTEMPT}`
const MOVE_ON = `UPDATE mailings SET due_at = $5, attempts = 0, next_attempt_at = $5, error = $6 WHERE ${THIS_ATTEMPT}`
const REMOVE = `DELETE FROM mailings WHERE ${THIS_ATTEMPT}`

/**
 * Ends an attempt. Does nothing if the mailing has been claimed again or its date was changed. If none of the project's checks is stored as
 * down any more, a reminder is not scheduled again, regardless of the result.
 */
export async function recordMailing(sql: Sql, mailing: Mailing, result: MailingResult): Promise<void> {
  const { channelId, kind, projectId, dueAt, attempts } = mailing
  const attempt = [channelId, kind, toMicroseconds(dueAt), attempts]
  await sql.lock('channel', [channelId])
  if (kind === 'reminder') await sql.lock('reminders', [projectId])
  if ((await endAttempt(sql, attempt, result)) === 0) return
  if (kind === 'reminder') await endReminders(sql, projectId)
  if (result.state === 'passed over') return
  const error = result.state === 'sent' ? null : result.error
  await recordOutcome(sql, channelId, error, result.state === 'failed' && result.disablesChannel)
}

function endAttempt(sql: Sql, attempt: readonly Value[], result: MailingResult): Promise<number> {
  if (result.state === 'pending') {
    return sql.run(RETRY, [...attempt, toMicroseconds(result.nextAttemptAt), result.error])
  }
  if (result.nextDueAt === null) return sql.run(REMOVE, attempt)
  const moved = [...attempt, toMicroseconds(result.nextDueAt)]
  if (result.state === 'passed over') return sql.run(PASS_OVER, moved)
  return sql.run(MOVE_ON, [...moved, result.state === 'failed' ? result.error : null])
}

const ENTRIES = `
  SELECT channels.*, mailings.kind AS mailing_kind, due_at, attempts, next_attempt_at, error
  FROM channels JOIN mailings ON mailings.channel_id = channels.id`
const OF_PROJECT = `${ENTRIES} WHERE channels.project_id = $1 ORDER BY channels.created_at, mailings.kind DESC`
const OF_CHANNEL = `${ENTRIES} WHERE channels.id = $1 AND mailings.kind = $2`

const ENTRY = columns<MailingEntry>({
  channel: CHANNELS,
  kind: named('mailing_kind', word()),
  dueAt: orNull(instant),
  attempts: number,
  nextAttemptAt: orNull(instant),
  error: orNull(text),
})

/** Lists a project's mailings by channel, in order of creation. Each channel's report comes before its reminder. */
export function listMailings(sql: Sql, projectId: string): Promise<MailingEntry[]> {
  return ENTRY.all(sql, OF_PROJECT, [projectId])
}

/**
 * Lists the mailings of the given channels, in the order of {@link listMailings}. Leaves out channels that do not exist. Pass only a few
 * ids at a time.
 */
export async function listMailingsOf(sql: Sql, channelIds: readonly string[]): Promise<MailingEntry[]> {
  const wanted = channelIds.flatMap((id) => [
    [id, 'report'],
    [id, 'reminder'],
  ])
  return (await ENTRY.getEach(sql, OF_CHANNEL, wanted)).filter((entry) => entry !== null)
}

// alert_after is never later than the deadline, so this query finds every overdue check.
const POSSIBLY_DOWN = `
  SELECT * FROM ${CHECKS} WHERE project_id = $1 AND (status = 'down' OR alert_after <= $2) ORDER BY created_at`
const NEWEST_FLIPS = `
  SELECT events.* FROM checks JOIN events ON events.check_id = checks.id AND events.n = ${newestFlip('checks.id')}
  WHERE checks.project_id = $1 AND (checks.status = 'down' OR checks.alert_after <= $2)`

/** Lists checks that are or may be down at `now`, in order of creation. */
export async function listDownCandidates(sql: Sql, projectId: string, now: Instant): Promise<DownCandidate[]> {
  const values = [projectId, toMicroseconds(now)]
  const checks = await sql.all<CheckRow>(POSSIBLY_DOWN, values)
  const flips = await FLIPS.all(sql, NEWEST_FLIPS, values)
  const newest = new Map(flips.map((flip) => [flip.checkId, flip]))
  return checks.map((row) => ({ check: toCheck(row), newestFlip: newest.get(row.id) ?? null }))
}
