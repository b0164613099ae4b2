/** `overdue project member …` */
import { ROLES } from '../../domain/account/role.ts'
import { type Actor, OPERATOR, operatorIn } from '../../domain/actor.ts'
import { oneLine } from '../../lib/text.ts'
import { isoSeconds } from '../../lib/time.ts'
import { getAccount } from '../../services/accounts/accounts.ts'
import { invite } from '../../services/accounts/invitations.ts'
import {
  listMembers,
  type MemberWithEmail,
  readRole,
  removeMember,
  setMember,
} from '../../services/accounts/members.ts'
import type { Deps } from '../../services/deps.ts'
import { getProject } from '../../services/projects.ts'
import type { Command, Context } from '../command.ts'

const represent = ({ email, role, createdAt }: MemberWithEmail) => ({ email, role, added: isoSeconds(createdAt) })

export const memberCommands: readonly Command[] = [
  {
    words: 'project member add',
    takes: ['PROJECT', 'EMAIL'],
    usage: `[--role ${ROLES.join('|')}]`,
    summary: 'give an account a role in a project, or another role',
    details: [
      'read-only sees checks, but no ping URLs. member also changes checks and channels, makes API keys and sees ping URLs.',
      'manager also adds and removes members. owner also changes the project and its owners.',
      'The default role is member. Without --role, somebody who is in the project already keeps the role.',
    ].join('\n'),
    example: 'overdue project member add Default jane@example.org --role manager',
    options: { role: { type: 'string', choices: ROLES } },
    async run(context) {
      const {
        positionals: [, email = ''],
        values,
        print,
      } = context
      const given = values.role === undefined ? null : readRole(String(values.role))
      const { deps, actor } = await enter(context)
      const { id } = await getAccount(deps, OPERATOR, email)
      const before = (await listMembers(deps, actor)).find(({ accountId }) => accountId === id)
      const member = await setMember(deps, actor, id, given ?? before?.role ?? 'member')
      const was = before === undefined || before.role === member.role ? '' : `, and was ${before.role}`
      print(represent(member), [
        `${member.email} is ${member.role} of ${oneLine(actor.project.name)}${was}`,
        ...(await notesOn(deps, actor)),
      ])
      return 0
    },
  },
  {
    words: 'project member invite',
    takes: ['PROJECT'],
    usage: `[--role ${ROLES.join('|')}]`,
    summary: 'print a link by which somebody joins a project, also without an account',
    details: [
      'It works once, within seven days. The page of the team lists it until then, and managers revoke it there.',
      'Whoever has the link can join. The default role is member.',
      'The link begins with SITE_ROOT: run the command with the settings of the server.',
    ].join('\n'),
    example: 'overdue project member invite Default --role read-only',
    options: { role: { type: 'string', choices: ROLES } },
    async run(context) {
      const { values, print } = context
      const role = values.role === undefined ? 'member' : readRole(String(values.role))
      const { deps, actor } = await enter(context)
      const { url, expiresAt } = await invite(deps, actor, role, null)
      const until = isoSeconds(expiresAt)
      print({ url, role, expires_at: until }, [
        url ?? '',
        `→ whoever accepts it joins ${oneLine(actor.project.name)} as ${role}; it works once, until ${until}`,
      ])
      return 0
    },
  },
  {
    words: 'project member remove',
    takes: ['PROJECT', 'EMAIL'],
    summary: 'remove an account from a project; the account stays',
    details:
      'The only owner stays: give somebody else that role first. An administrator still sees the project. Keys that the person knows stay valid: see `overdue key revoke`.',
    example: 'overdue project member remove Default jane@example.org',
    async run(context) {
      const {
        positionals: [, email = ''],
        print,
      } = context
      const { deps, actor } = await enter(context)
      const removed = await removeMember(deps, actor, email)
      print(represent(removed), [
        `${removed.email} is no longer ${removed.role} of ${oneLine(actor.project.name)}`,
        ...(await notesOn(deps, actor)),
      ])
      return 0
    },
  },
  {
    words: 'project member list',
    takes: ['PROJECT'],
    summary: 'list the members of a project and their roles',
    details: 'Administrators see every project, also those in which they are no members.',
    example: 'overdue project member list Default',
    async run(context) {
      const { deps, actor } = await enter(context)
      const members = await listMembers(deps, actor)
      const rows = members.map(({ email, role, createdAt }) => [email, role, createdAt])
      context.print(members.map(represent), [{ rows: [['EMAIL', 'ROLE', 'ADDED'], ...rows] }])
      return 0
    },
  },
]

/** The operator as actor in the project that the first argument names. @throws Refusal `project-not-found` */
async function enter({
  openDeps,
  positionals: [idOrName = ''],
}: Pick<Context, 'openDeps' | 'positionals'>): Promise<{ readonly deps: Deps; readonly actor: Actor }> {
  const deps = await openDeps()
  return { deps, actor: operatorIn(await getProject(deps, idOrName)) }
}

async function notesOn(deps: Deps, actor: Actor): Promise<string[]> {
  const hasOwner = (await listMembers(deps, actor)).some(({ role }) => role === 'owner')
  return hasOwner ? [] : ['→ the project has no owner: only administrators change it and its owners']
}
