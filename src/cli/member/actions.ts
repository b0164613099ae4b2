/** Implements the `overdue project member` commands. */
import { type Actor, OPERATOR } from '../../domain/actor.ts'
import { oneLine } from '../../lib/text/text.ts'
import { isoSeconds } from '../../lib/time.ts'
import { getAccount } from '../../services/accounts/accounts.ts'
import { invite } from '../../services/accounts/invitations.ts'
import type { Deps } from '../../services/common/deps.ts'
import {
  listMembers,
  type MemberWithEmail,
  readRole,
  removeMember,
  setMember,
} from '../../services/projects/members.ts'
import type { Context } from '../command.ts'
import { openProject } from '../project/open-project.ts'

const represent = ({ email, role, createdAt }: MemberWithEmail) => ({ email, role, added: isoSeconds(createdAt) })

/** Runs `overdue project member add`. */
export async function add(context: Context): Promise<undefined> {
  const {
    positionals: [, email = ''],
    values,
    print,
  } = context
  const given = values.role === undefined ? null : readRole(String(values.role))
  const { deps, actor } = await openProject(context, context.argument)
  const { id } = await getAccount(deps, OPERATOR, email)
  const before = (await listMembers(deps, actor)).find(({ accountId }) => accountId === id)
  const member = await setMember(deps, actor, id, given ?? before?.role ?? 'member')
  const was = before === undefined || before.role === member.role ? '' : `, and was ${before.role}`
  print(represent(member), [
    `${member.email} is ${member.role} of ${oneLine(actor.project.name)}${was}`,
    ...(await notesOn(deps, actor)),
  ])
}

/** Runs `overdue project member invite`. */
export async function printInvitation(context: Context): Promise<undefined> {
  const { values, print } = context
  const role = values.role === undefined ? 'member' : readRole(String(values.role))
  const { deps, actor } = await openProject(context, context.argument)
  const { url, expiresAt } = await invite(deps, actor, role, null)
  const until = isoSeconds(expiresAt)
  print({ url, role, expires_at: until }, [
    url ?? '',
    `→ anyone who has it can join ${oneLine(actor.project.name)} as ${role}; the link can be used once, until ${until}`,
  ])
}

/** Runs `overdue project member remove`. */
export async function remove(context: Context): Promise<undefined> {
  const {
    positionals: [, email = ''],
    print,
  } = context
  const { deps, actor } = await openProject(context, context.argument)
  const removed = await removeMember(deps, actor, email)
  print(represent(removed), [
    `${removed.email} is no longer ${removed.role} of ${oneLine(actor.project.name)}`,
    ...(await notesOn(deps, actor)),
  ])
}

/** Runs `overdue project member list`. */
export async function list(context: Context): Promise<undefined> {
  const { deps, actor } = await openProject(context, context.argument)
  const members = await listMembers(deps, actor)
  const rows = members.map(({ email, role, createdAt }) => [{ name: email }, role, createdAt])
  context.print(members.map(represent), [{ rows: [['EMAIL', 'ROLE', 'ADDED'], ...rows] }])
}

async function notesOn(deps: Deps, actor: Actor): Promise<string[]> {
  const hasOwner = (await listMembers(deps, actor)).some(({ role }) => role === 'owner')
  return hasOwner ? [] : ['→ the project has no owner: only administrators change it and its owners']
}
