/** Lists a project's members as other members see them. */

import type { TeamMember } from '../interface/team.ts'
import { columns, flag, instant, orNull, text } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { MEMBERS } from '../tables/people.ts'

const OF_PROJECT = `
  SELECT members.*, accounts.email, accounts.last_seen_at, accounts.is_suspended
  FROM members JOIN accounts ON accounts.id = members.account_id WHERE members.project_id = $1`
const LIST = `${OF_PROJECT} ORDER BY accounts.email LIMIT $2`
const FIND = `${OF_PROJECT} AND members.account_id = $2`

const TEAM = columns<TeamMember>({
  ...MEMBERS.members,
  email: text,
  lastSeenAt: orNull(instant),
  isSuspended: flag,
})

/** Lists a project's team by email, at most `limit` members. */
export function listTeam(sql: Sql, projectId: string, limit: number): Promise<TeamMember[]> {
  return TEAM.all(sql, LIST, [projectId, limit])
}

export function findTeamMember(sql: Sql, projectId: string, accountId: string): Promise<TeamMember | null> {
  return TEAM.get(sql, FIND, [projectId, accountId])
}
