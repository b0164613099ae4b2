/** The dates of mailings as channels ask for them, and as flips start and end reminders; see `mailings.ts` for the rest. */
import type { Channel } from '../domain/channel.ts'
import type { Flip } from '../domain/flip.ts'
import type { MailingKind, ReportDate, WantedMailings } from '../domain/mailing.ts'
import { fromMicroseconds, type Instant, toMicroseconds } from '../domain/time.ts'
import type { Sql } from './database.ts'

const WRITE = `
  INSERT INTO mailings (channel_id, kind, project_id, period_seconds, due_at, attempts, next_attempt_at)
  VALUES ($1, $2, $3, $4, $5, 0, $5)
  ON CONFLICT (channel_id, kind) DO UPDATE
  SET period_seconds = excluded.period_seconds, due_at = excluded.due_at, attempts = 0, next_attempt_at = excluded.due_at`
const DUE = `SELECT due_at FROM mailings WHERE channel_id = $1 AND kind = 'report'`

/** Once the channel is written, in the same transaction. */
export async function writeWanted(sql: Sql, channel: Channel, { report, reminder }: WantedMailings): Promise<void> {
  const { id, projectId } = channel
  if (report === null) await removeMailing(sql, id, 'report')
  else if (report) await moveReport(sql, channel, report)
  if (reminder === null) await removeMailing(sql, id, 'reminder')
  else if (reminder) {
    const { periodSeconds, firstAt } = reminder
    await sql.run(WRITE, [id, 'reminder', projectId, periodSeconds, toMicroseconds(firstAt)])
    await endReminders(sql, projectId)
  }
}

async function moveReport(sql: Sql, { id, projectId }: Channel, dateOf: ReportDate): Promise<void> {
  const row = await sql.get<{ due_at: number }>(DUE, [id])
  const date = toMicroseconds(dateOf(row && fromMicroseconds(row.due_at)))
  // One whose date stays may be on its way.
  if (date !== row?.due_at) await sql.run(WRITE, [id, 'report', projectId, null, date])
}

async function removeMailing(sql: Sql, channelId: string, kind: MailingKind): Promise<void> {
  await sql.run('DELETE FROM mailings WHERE channel_id = $1 AND kind = $2', [channelId, kind])
}

const PROJECT_OF_CHECK = '(SELECT project_id FROM checks WHERE id = $1)'

const START = `
  UPDATE mailings
  SET due_at = $2 + period_seconds * 1000000, attempts = 0, next_attempt_at = $2 + period_seconds * 1000000
  WHERE kind = 'reminder' AND project_id = ${PROJECT_OF_CHECK} AND due_at IS NULL`

const end = (project: string) => `
  UPDATE mailings SET due_at = NULL, attempts = 0, next_attempt_at = NULL
  WHERE kind = 'reminder' AND project_id = ${project} AND due_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM checks WHERE project_id = ${project} AND status = 'down')`

/**
 * What the flips mean for the reminders of their projects: the first check that goes down starts them, the last one that
 * does not stay down ends them. Costs a look into an index for each flip from or to down.
 */
export async function moveReminders(sql: Sql, flips: readonly Flip[], now: Instant): Promise<void> {
  const wentDown = flips.filter(({ newStatus }) => newStatus === 'down')
  const cameBack = flips.filter(({ oldStatus }) => oldStatus === 'down')
  await sql.runEach(
    START,
    wentDown.map(({ checkId }) => [checkId, toMicroseconds(now)]),
  )
  await sql.runEach(
    end(PROJECT_OF_CHECK),
    cameBack.map(({ checkId }) => [checkId]),
  )
}

/** No reminders of a project of which nothing is down. */
export async function endReminders(sql: Sql, projectId: string): Promise<void> {
  await sql.run(end('$1'), [projectId])
}
