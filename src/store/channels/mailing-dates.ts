/** Stores when mailings are due. Channel settings determine the dates, and flips start and end reminders. */
import type { Channel } from '../../domain/channel/channel.ts'
import type { Flip } from '../../domain/check/flip.ts'
import type { MailingKind, ReportDate, WantedMailings } from '../../domain/mail/mailing.ts'
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import type { Sql } from '../sql/database.ts'

const WRITE = `
  INSERT INTO mailings (channel_id, kind, project_id, period_seconds, due_at, attempts, next_attempt_at)
  VALUES ($1, $2, $3, $4, $5, 0, $5)
  ON CONFLICT (channel_id, kind) DO UPDATE
  SET period_seconds = excluded.period_seconds, due_at = excluded.due_at, attempts = 0, next_attempt_at = excluded.due_at`
const DUE = `SELECT due_at FROM mailings WHERE channel_id = $1 AND kind = 'report'`

/**
 * Schedules a channel's mailings in the transaction that wrote the channel. If the channel already existed, the caller must have locked it.
 */
export async function writeWanted(sql: Sql, channel: Channel, { report, reminder }: WantedMailings): Promise<void> {
  const { id, projectId } = channel
  if (report === null) await removeMailing(sql, id, 'report')
  else if (report) await moveReport(sql, channel, report)
  if (reminder === null) await removeMailing(sql, id, 'reminder')
  else if (reminder) {
    const { periodSeconds, firstAt } = reminder
    await sql.lock('reminders', [projectId])
    await sql.run(WRITE, [id, 'reminder', projectId, periodSeconds, toMicroseconds(firstAt)])
    await endReminders(sql, projectId)
  }
}

async function moveReport(sql: Sql, { id, projectId }: Channel, dateOf: ReportDate): Promise<void> {
  const row = await sql.get<{ due_at: number }>(DUE, [id])
  const date = toMicroseconds(dateOf(row && fromMicroseconds(row.due_at)))
  // An unchanged date is not written, because an attempt may be in progress.
  if (date !== row?.due_at) await sql.run(WRITE, [id, 'report', projectId, null, date])
}

async function removeMailing(sql: Sql, channelId: string, kind: MailingKind): Promise<void> {
  await sql.run('DELETE FROM mailings WHERE channel_id = $1 AND kind = $2', [channelId, kind])
}

const START = `
  UPDATE mailings
  SET due_at = $2 + period_seconds * 1000000, attempts = 0, next_attempt_at = $2 + period_seconds * 1000000
  WHERE kind = 'reminder' AND project_id = $1 AND due_at IS NULL`

const END = `
  UPDATE mailings SET due_at = NULL, attempts = 0, next_attempt_at = NULL
  WHERE kind = 'reminder' AND project_id = $1 AND due_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM checks WHERE project_id = $1 AND status = 'down')`

/** A flip, and the project that its check belongs to. */
interface FlipOfProject {
  readonly flip: Flip
  readonly projectId: string
}

/**
 * Starts or ends reminders in the flips' projects. The first check that goes down starts a project's reminders, and the last check that
 * recovers ends them.
 */
export async function moveReminders(sql: Sql, flipped: readonly FlipOfProject[], now: Instant): Promise<void> {
  const wentDown = projectsOf(flipped.filter(({ flip }) => flip.newStatus === 'down'))
  const cameBack = projectsOf(flipped.filter(({ flip }) => flip.oldStatus === 'down'))
  await sql.lock('reminders', [...wentDown, ...cameBack])
  await sql.runEach(
    START,
    wentDown.map((id) => [id, toMicroseconds(now)]),
  )
  await sql.runEach(
    END,
    cameBack.map((id) => [id]),
  )
}

function projectsOf(flipped: readonly FlipOfProject[]): string[] {
  return [...new Set(flipped.map(({ projectId }) => projectId))]
}

/** Starts a project's reminders if they are not running. */
export async function startReminders(sql: Sql, projectId: string, now: Instant): Promise<void> {
  await sql.lock('reminders', [projectId])
  await sql.run(START, [projectId, toMicroseconds(now)])
}

/** Ends a project's reminders if none of its checks is down. The caller must have locked the reminders. */
export async function endReminders(sql: Sql, projectId: string): Promise<void> {
  await sql.run(END, [projectId])
}
