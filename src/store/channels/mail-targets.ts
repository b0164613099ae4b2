/** Reads the addresses of email channels in several projects, a thousand channels at a time. */
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { MailTarget, MailTargetMark, MailTargets } from '../interface/channels.ts'
import type { Sql } from '../sql/database.ts'

/** Number of channels per read. It is limited so that no read blocks the event loop for long. */
const AT_ONCE = 1_000

// Leaves out the settings of other kinds of channels, which may be long and are not needed.
const COLUMNS = `
  channels.id, channels.project_id, channels.created_at, channels.kind,
  CASE WHEN channels.kind = 'email' THEN channels.settings ELSE '' END AS settings`
export const TARGETS_OF_MEMBER = `
  SELECT ${COLUMNS}
  FROM members JOIN channels ON channels.project_id = members.project_id
  WHERE members.account_id = $1 AND members.project_id >= $2
    AND (members.project_id > $2 OR channels.created_at > $3)
  ORDER BY members.project_id, channels.created_at LIMIT $4`
export const TARGETS_OF_ALL = `
  SELECT ${COLUMNS} FROM channels
  WHERE (project_id, created_at) > ($1, $2)
  ORDER BY project_id, created_at LIMIT $3`

interface Row {
  id: string
  project_id: string
  created_at: number
  kind: ChannelKind
  settings: string
}

/**
 * Lists the email channels in all of an account's projects. Each call examines at most a thousand channels of any kind.
 * @param all true to include projects of which the account is not a member
 */
export async function listMailTargets(
  sql: Sql,
  accountId: string,
  all: boolean,
  after: MailTargetMark | null,
): Promise<MailTargets> {
  const { projectId, createdAt } = after ?? { projectId: '', createdAt: -1 }
  const values = [projectId, createdAt, AT_ONCE]
  const rows = await sql.all<Row>(all ? TARGETS_OF_ALL : TARGETS_OF_MEMBER, all ? values : [accountId, ...values])
  const items = rows.flatMap((row): MailTarget[] =>
    row.kind === 'email' ? [{ id: row.id, projectId: row.project_id, settings: JSON.parse(row.settings) }] : [],
  )
  const last = rows.length < AT_ONCE ? undefined : rows.at(-1)
  return { items, next: last === undefined ? null : { projectId: last.project_id, createdAt: last.created_at } }
}
