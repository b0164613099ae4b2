/** Stores invitations, which are looked up by a hash of their token. Also creates accounts for users who sign up through a link. */
import type { Account } from '../../domain/account/account.ts'
import { type Invitation, type Inviter, isOpen, requireRoom } from '../../domain/account/invitation.ts'
import { isMore } from '../../domain/account/role.ts'
import { linkEnded } from '../../domain/account/token.ts'
import { auditedInvitation } from '../../domain/audit/subjects.ts'
import type { Instant } from '../../lib/time.ts'
import type { AuditTrail } from '../audit.ts'
import type { InvitationToProject, Joined, Joining } from '../interface/team.ts'
import { findProject } from '../projects/projects.ts'
import { columns, columnsOrNull, flag, instant, named, orNull, text, word } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { createAccount, findAccount, findMember, writeMember } from './accounts.ts'
import { deleteToken, insertToken, takeToken } from './tokens.ts'

interface Found {
  readonly invitation: Invitation
  /** null if a command created the invitation */
  readonly inviter: Inviter | null
}

/** Columns of a token row together with the inviter's account. */
const INVITATIONS = columns<Found>({
  invitation: columns<Invitation>({
    lookup: text,
    projectId: text,
    email: orNull(text),
    role: word(),
    invitedBy: columnsOrNull({
      id: named('made_by', text),
      email: { name: 'inviter_email', read: (email: string | null) => email ?? '' },
    }),
    createdAt: instant,
    expiresAt: instant,
  }),
  inviter: columnsOrNull({
    isAdministrator: flag,
    isSuspended: flag,
    role: named('inviter_role', orNull(word())),
  }),
})

const SELECT = `
  SELECT tokens.*, accounts.email AS inviter_email, accounts.is_administrator, accounts.is_suspended, members.role AS inviter_role
  FROM tokens LEFT JOIN accounts ON accounts.id = tokens.made_by
  LEFT JOIN members ON members.account_id = accounts.id AND members.project_id = tokens.project_id
  WHERE tokens.purpose = 'invitation'`
const OF_PROJECT = `${SELECT} AND tokens.project_id = $1 ORDER BY tokens.created_at, tokens.lookup`
const LIST = `${SELECT} AND tokens.project_id = $1 ORDER BY tokens.created_at DESC, tokens.lookup`
const FIND = `${SELECT} AND tokens.lookup = $1`
const TO = `${SELECT} AND tokens.email = $1`

/** Lists a project's valid invitations, newest first. */
export async function listInvitations(sql: Sql, projectId: string, now: Instant): Promise<Invitation[]> {
  const found = await INVITATIONS.all(sql, LIST, [projectId])
  return found.flatMap((one) => openOrNull(one, now) ?? [])
}

/** Finds an invitation with its project. @returns null if there is no valid invitation */
export async function findInvitation(sql: Sql, lookup: string, now: Instant): Promise<InvitationToProject | null> {
  const found = await INVITATIONS.get(sql, FIND, [lookup])
  const invitation = found && openOrNull(found, now)
  const project = invitation && (await findProject(sql, invitation.projectId))
  return project && { invitation, project }
}

/** Returns whether a valid invitation was mailed to the address. */
export async function isInvited(sql: Sql, email: string, now: Instant): Promise<boolean> {
  return (await INVITATIONS.all(sql, TO, [email])).some((found) => openOrNull(found, now) !== null)
}

function openOrNull({ invitation, inviter }: Found, now: Instant): Invitation | null {
  return isOpen(invitation, inviter, now) ? invitation : null
}

/** Creates an invitation. @throws Refusal `invitations-full` if the project already has too many that have not expired */
export async function createInvitation(sql: Sql, trail: AuditTrail, invitation: Invitation): Promise<void> {
  const { lookup, projectId, email, role, invitedBy, createdAt, expiresAt } = invitation
  await sql.lock('project', [projectId])
  // Counts only valid invitations, because those are the ones that the team can see and revoke.
  requireRoom((await listInvitations(sql, projectId, createdAt)).length)
  await insertToken(sql, {
    lookup,
    purpose: 'invitation',
    projectId,
    madeBy: invitedBy?.id ?? null,
    email,
    role,
    createdAt,
    expiresAt,
  })
  await trail.note(null, auditedInvitation(invitation))
}

/** Deletes an invitation. @returns false if the project has no such invitation */
export async function deleteInvitation(
  sql: Sql,
  trail: AuditTrail,
  projectId: string,
  lookup: string,
): Promise<boolean> {
  await sql.lock('project', [projectId])
  const found = await INVITATIONS.get(sql, FIND, [lookup])
  if (found?.invitation.projectId !== projectId) return false
  await deleteToken(sql, lookup)
  await trail.note(auditedInvitation(found.invitation, 'revoked'), null)
  return true
}

const PEOPLE = 'SELECT count(*) AS number FROM members WHERE project_id = $1'

/**
 * Ends all of the project's invitations, so that nobody can join through them.
 * @param allow called with the number of the project's members; throws to reject the change
 */
export async function endInvitations(
  sql: Sql,
  trail: AuditTrail,
  projectId: string,
  allow: (people: number) => void,
): Promise<void> {
  // This lock is also taken when an account joins the project.
  await sql.lock('project', [projectId])
  allow((await sql.get<{ number: number }>(PEOPLE, [projectId]))?.number ?? 0)
  for (const { invitation } of await INVITATIONS.all(sql, OF_PROJECT, [projectId])) {
    await deleteToken(sql, invitation.lookup)
    await trail.note(auditedInvitation(invitation), null)
  }
}

/**
 * Gives an account the role that an invitation grants, and ends the invitation. If the account already has that role or a better one,
 * nothing changes.
 * @throws Refusal `link-ended` if the invitation is not valid or the account no longer exists; `account-exists` for a new account
 */
export async function joinByInvitation(
  sql: Sql,
  trail: AuditTrail,
  lookup: string,
  joining: Joining,
  now: Instant,
): Promise<Joined> {
  const seen = await findInvitation(sql, lookup, now)
  if (!seen) throw linkEnded('it was revoked')
  const account = await accountOf(sql, trail, joining)
  await sql.lock('project', [seen.project.id])
  // Another user may have used the invitation while this call waited for the lock.
  const found = await findInvitation(sql, lookup, now)
  if (!found) throw linkEnded('it was revoked')
  const { invitation, project } = found
  const before = await findMember(sql, account.id, project.id)
  if (before && !isMore(invitation.role, before.role)) return { project, role: before.role, isUnchanged: true }
  await deleteToken(sql, lookup)
  await trail.note(auditedInvitation(invitation, 'used'), null)
  const member = { accountId: account.id, projectId: project.id, role: invitation.role, createdAt: now }
  await writeMember(sql, trail, member, account.email)
  return { project, role: invitation.role, isUnchanged: false }
}

async function accountOf(sql: Sql, trail: AuditTrail, joining: Joining): Promise<Account> {
  if ('newAccount' in joining) {
    await createAccount(sql, trail, joining.newAccount)
    return joining.newAccount
  }
  // The account may have been closed at the same time.
  await sql.lock('account', [joining.accountId])
  const account = await findAccount(sql, joining.accountId)
  if (!account || account.isSuspended) throw linkEnded('it was revoked')
  return account
}

/** Creates an account through a link, and ends the link. @throws Refusal `link-ended`, `account-exists` */
export async function signUp(sql: Sql, trail: AuditTrail, account: Account, link: string): Promise<void> {
  if (!(await takeToken(sql, link, 'sign-up'))) throw linkEnded()
  await createAccount(sql, trail, account)
}
