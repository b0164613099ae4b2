/** Stores accounts and project members. */
import { type Account, accountExists, type Member, normalizeEmail } from '../../domain/account/account.ts'
import { LINK_PURPOSES } from '../../domain/account/one-time-link.ts'
import { auditedAccount, auditedMember } from '../../domain/audit/subjects.ts'
import type { AuditTrail } from '../audit.ts'
import type { AllowMember, FirstAccount, MemberWithEmail } from '../interface/accounts.ts'
import { applyEdit, listProjects } from '../projects/projects.ts'
import { columns, text } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { ACCOUNTS, MEMBERS } from '../tables/people.ts'
import { SHOWN_PROJECT } from '../tables/projects.ts'
import { planMorningMail } from './morning-mails.ts'
import { endAccess } from './sessions.ts'
import { takeToken } from './tokens.ts'

const FIND = 'SELECT * FROM accounts WHERE id = $1 OR email = $2'

/** Finds the account with this id or, if there is none, with this email. */
export function findAccount(sql: Sql, idOrEmail: string): Promise<Account | null> {
  return ACCOUNTS.get(sql, FIND, [idOrEmail, normalizeEmail(idOrEmail)])
}

/** Lists all accounts, by email. */
export function listAccounts(sql: Sql): Promise<Account[]> {
  return ACCOUNTS.all(sql, 'SELECT * FROM accounts ORDER BY email', [])
}

export async function hasAccounts(sql: Sql): Promise<boolean> {
  return (await sql.get('SELECT 1 FROM accounts LIMIT 1', [])) !== null
}

/** Creates an account. @throws Refusal `account-exists` if an account has that email */
export async function createAccount(sql: Sql, trail: AuditTrail, account: Account): Promise<void> {
  await requireFree(sql, account)
  await insertAccount(sql, trail, account)
}

/** Inserts an account. The caller must have locked its email and made sure that no other account has the same email. */
export async function insertAccount(sql: Sql, trail: AuditTrail, account: Account): Promise<void> {
  await ACCOUNTS.insert(sql, account)
  await trail.note(null, auditedAccount(account))
}

async function requireFree(sql: Sql, { id, email }: Account): Promise<void> {
  await sql.lock('email', [email])
  const namesake = await sql.get<{ id: string }>('SELECT id FROM accounts WHERE email = $1 AND id <> $2', [email, id])
  if (namesake) throw accountExists(email)
}

const OWNERLESS = `
  SELECT id FROM projects
  WHERE ${SHOWN_PROJECT} AND NOT EXISTS (SELECT 1 FROM members WHERE members.project_id = projects.id AND members.role = 'owner')`

/**
 * Creates an account that owns every project without an owner, and ends the links for creating a first account.
 * @throws Refusal `project-name-taken`
 * @returns null, without writing anything, if an account already exists
 */
export async function createFirstAccount(
  sql: Sql,
  trail: AuditTrail,
  { account, rename }: FirstAccount,
): Promise<Account | null> {
  await sql.lock('first account')
  if (await hasAccounts(sql)) return null
  await createAccount(sql, trail, account)
  if (rename) await sql.lock('project name', [rename.to])
  const ids = new Set((await sql.all<{ id: string }>(OWNERLESS, [])).map(({ id }) => id))
  const ownerless = (await listProjects(sql)).filter(({ id }) => ids.has(id))
  await sql.lock('project', [...ids])
  for (const { id, name } of ownerless) {
    // Nobody has opened the project's pages yet, so no links break.
    if (name === rename?.from) await applyEdit(sql, trail, id, { name: rename.to, slug: rename.slug })
    const owner: Member = { accountId: account.id, projectId: id, role: 'owner', createdAt: account.createdAt }
    await writeMember(sql, trail, owner, account.email)
  }
  await sql.run("DELETE FROM tokens WHERE purpose = 'first-account'", [])
  return account
}

const update = ACCOUNTS.updating(
  'email',
  'passwordHash',
  'isAdministrator',
  'tz',
  'theme',
  'hasShortcuts',
  'listRows',
  'listPicture',
  'isSuspended',
  'totp',
  'isEmailConfirmed',
  'morningMail',
)

/**
 * Replaces the stored account with the result of `change`, except for its id, `createdAt` and `lastSeenAt`. Ends the account's sessions and
 * links if its email, its password or the secret of its second factor changes, or if it is suspended.
 * @param kept lookup of a session to keep; null to end all
 * @param link lookup of the account's link that allows the change and ends with it
 * @throws Refusal `account-exists`
 * @returns null if the account or the link does not exist
 */
export async function changeAccount(
  sql: Sql,
  trail: AuditTrail,
  id: string,
  change: (account: Account) => Account,
  kept: string | null,
  link: string | null = null,
): Promise<Account | null> {
  await sql.lock('account', [id])
  if (link !== null && !(await takeToken(sql, link, ...LINK_PURPOSES))) return null
  const before = await ACCOUNTS.get(sql, 'SELECT * FROM accounts WHERE id = $1', [id])
  if (!before) return null
  const after = change(before)
  if (after.email !== before.email) await requireFree(sql, after)
  await update(sql, { ...after, id })
  await planMorningMail(sql, before, { ...after, id }, trail.author.at)
  if (endsSessions(before, after)) await endAccess(sql, id, kept)
  await trail.note(auditedAccount(before), auditedAccount(after, before))
  return after
}

function endsSessions(before: Account, after: Account): boolean {
  const isOther = (field: 'email' | 'passwordHash') => before[field] !== after[field]
  const isSuspended = after.isSuspended && !before.isSuspended
  return isOther('email') || isOther('passwordHash') || after.totp?.secret !== before.totp?.secret || isSuspended
}

const RENEW_HASH = 'UPDATE accounts SET password_hash = $3 WHERE id = $1 AND password_hash = $2'

/** Replaces the hash of an unchanged password, so sessions and links remain valid. @returns false if the account has a different hash */
export async function renewPasswordHash(sql: Sql, id: string, hash: string, renewed: string): Promise<boolean> {
  await sql.lock('account', [id])
  return (await sql.run(RENEW_HASH, [id, hash, renewed])) > 0
}

/** Deletes an account; foreign keys delete its memberships, sessions and links. */
export async function deleteAccount(sql: Sql, trail: AuditTrail, id: string): Promise<Account | null> {
  await sql.lock('account', [id])
  return removeAccount(sql, trail, id)
}

/** Deletes an account that the caller has locked. */
export async function removeAccount(sql: Sql, trail: AuditTrail, id: string): Promise<Account | null> {
  const account = await findAccount(sql, id)
  if (!account) return null
  for (const member of await MEMBERS.all(sql, 'SELECT * FROM members WHERE account_id = $1', [id])) {
    await trail.note(auditedMember(member, account.email), null)
  }
  await sql.run('DELETE FROM accounts WHERE id = $1', [id])
  await trail.note(auditedAccount(account), null)
  return account
}

const LIST_MEMBERS = `
  SELECT members.*, accounts.email FROM members JOIN accounts ON accounts.id = members.account_id
  WHERE members.project_id = $1 ORDER BY accounts.email`

const WITH_EMAIL = columns<MemberWithEmail>({ ...MEMBERS.members, email: text })

/** Lists a project's members, by email. */
export function listMembers(sql: Sql, projectId: string): Promise<MemberWithEmail[]> {
  return WITH_EMAIL.all(sql, LIST_MEMBERS, [projectId])
}

const FIND_MEMBER = 'SELECT * FROM members WHERE account_id = $1 AND project_id = $2'

export function findMember(sql: Sql, accountId: string, projectId: string): Promise<Member | null> {
  return MEMBERS.get(sql, FIND_MEMBER, [accountId, projectId])
}

/** Finds another owner. A suspended account does not count, because it can't act as an owner. */
const OTHER_OWNER = `
  SELECT 1 FROM members JOIN accounts ON accounts.id = members.account_id
  WHERE project_id = $1 AND role = 'owner' AND account_id <> $2 AND is_suspended = 0 LIMIT 1`

async function isOnlyOwner(sql: Sql, { projectId, accountId }: Member): Promise<boolean> {
  return (await sql.get(OTHER_OWNER, [projectId, accountId])) === null
}

const UPSERT_MEMBER = `${MEMBERS.insertion} ON CONFLICT (account_id, project_id) DO UPDATE SET role = excluded.role`

/**
 * Adds a member, or changes a member's role without changing `createdAt`.
 * @returns the stored member; null if there is no such account
 * @throws any error thrown by `allow`
 */
export async function setMember(
  sql: Sql,
  trail: AuditTrail,
  member: Member,
  allow?: AllowMember,
): Promise<MemberWithEmail | null> {
  await sql.lock('project', [member.projectId])
  const account = await findAccount(sql, member.accountId)
  if (!account) return null
  return { ...(await writeMember(sql, trail, member, account.email, allow)), email: account.email }
}

/** Stores a member of a project that the caller has locked. @returns the stored member */
export async function writeMember(
  sql: Sql,
  trail: AuditTrail,
  member: Member,
  email: string,
  allow?: AllowMember,
): Promise<Member> {
  const { accountId, projectId, createdAt } = member
  const before = await findMember(sql, accountId, projectId)
  allow?.(before?.role ?? null, before?.role === 'owner' && (await isOnlyOwner(sql, before)))
  await sql.run(UPSERT_MEMBER, MEMBERS.values(member))
  await trail.note(before && auditedMember(before, email), auditedMember(member, email))
  return { ...member, createdAt: before?.createdAt ?? createdAt }
}

/** Removes a member. @returns the removed member; null if the account is not a member @throws any error thrown by `allow` */
export async function removeMember(
  sql: Sql,
  trail: AuditTrail,
  accountId: string,
  projectId: string,
  allow?: AllowMember,
): Promise<MemberWithEmail | null> {
  await sql.lock('project', [projectId])
  const account = await findAccount(sql, accountId)
  const member = await findMember(sql, accountId, projectId)
  if (!account || !member) return null
  allow?.(member.role, member.role === 'owner' && (await isOnlyOwner(sql, member)))
  await sql.run('DELETE FROM members WHERE account_id = $1 AND project_id = $2', [accountId, projectId])
  await trail.note(auditedMember(member, account.email), null)
  return { ...member, email: account.email }
}
