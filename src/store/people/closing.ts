/**
 * Closes accounts. An account cannot be closed if a project with other members would lose its last owner, or the server its last
 * administrator.
 */
import type { Account } from '../../domain/account/account.ts'
import type { AuditTrail } from '../audit.ts'
import type { Closing } from '../interface/accounts.ts'
import { columns, number } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { PROJECTS } from '../tables/projects.ts'
import { removeAccount } from './accounts.ts'
import { hasOtherAdministrator } from './administrators.ts'

const ADMINISTERS = 'SELECT 1 FROM accounts WHERE is_administrator = 1 AND id = $1'

const OWNED_ALONE = `
  SELECT projects.*, (SELECT count(*) FROM members AS others WHERE others.project_id = projects.id) AS people
  FROM projects JOIN members ON members.project_id = projects.id
  WHERE members.account_id = $1 AND members.role = 'owner' AND NOT EXISTS (
    SELECT 1 FROM members AS owners JOIN accounts ON accounts.id = owners.account_id
    WHERE owners.project_id = projects.id AND owners.role = 'owner' AND owners.account_id <> $1
      AND accounts.is_suspended = 0
  )
  ORDER BY projects.created_at, projects.id`

const OWNED = columns({ project: PROJECTS, people: number })

/** Returns what prevents an account from being closed, and the projects that would be deleted with it. */
export async function readClosing(sql: Sql, accountId: string): Promise<Closing> {
  const administers = (await sql.get(ADMINISTERS, [accountId])) !== null
  const isLastAdministrator = administers && !(await hasOtherAdministrator(sql, accountId))
  const owned = await OWNED.all(sql, OWNED_ALONE, [accountId])
  return {
    isLastAdministrator,
    shared: owned.filter(({ people }) => people > 1).map(({ project }) => project),
    alone: owned.filter(({ people }) => people === 1).map(({ project }) => project),
  }
}

const PLACES = 'SELECT project_id FROM members WHERE account_id = $1'

/**
 * Deletes an account at its user's request.
 * @param allow called in the transaction
 * @throws any error thrown by `allow`
 * @returns null if there is no such account
 */
export async function closeAccount(
  sql: Sql,
  trail: AuditTrail,
  id: string,
  allow: (closing: Closing) => void,
): Promise<Account | null> {
  await sql.lock('administrators')
  await sql.lock('account', [id])
  const places = await sql.all<{ project_id: string }>(PLACES, [id])
  const projectIds = places.map((place) => place.project_id)
  await sql.lock('project', projectIds)
  allow(await readClosing(sql, id))
  return removeAccount(sql, trail, id)
}
