/** Members as the others of their project see them. */

import type { TeamMember } from '../interface/team.ts'
import type { Sql } from '../sql/database.ts'
import { instantOrNull } from '../sql/rows.ts'
import { type MemberRow, toMember } from './accounts.ts'

const MEMBERS = `
  SELECT members.*, accounts.email, accounts.last_seen_at, accounts.is_suspended
  FROM members JOIN accounts ON accounts.id = members.account_id WHERE members.project_id = $1`
const LIST = `${MEMBERS} ORDER BY accounts.email LIMIT $2`
const FIND = `${MEMBERS} AND members.account_id = $2`

type TeamRow = MemberRow & { email: string; last_seen_at: number | null; is_suspended: number }

/** By email, at most `limit`. */
export async function listTeam(sql: Sql, projectId: string, limit: number): Promise<TeamMember[]> {
  return (await sql.all<TeamRow>(LIST, [projectId, limit])).map(toTeamMember)
}

export async function findTeamMember(sql: Sql, projectId: string, accountId: string): Promise<TeamMember | null> {
  const row = await sql.get<TeamRow>(FIND, [projectId, accountId])
  return row && toTeamMember(row)
}

function toTeamMember(row: TeamRow): TeamMember {
  return {
    ...toMember(row),
    email: row.email,
    lastSeenAt: instantOrNull(row.last_seen_at),
    isSuspended: row.is_suspended !== 0,
  }
}
