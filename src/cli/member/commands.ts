/** Describes the `overdue project member` commands. */
import { ROLES } from '../../domain/account/role.ts'
import type { Command } from '../command.ts'

const actions = () => import('./actions.ts')

export const memberCommands: readonly Command[] = [
  {
    words: 'project member add',
    takes: ['PROJECT', 'EMAIL'],
    summary: 'add an account to a project, or change its role',
    details: [
      'read-only sees checks, but no ping URLs. member also changes checks and channels, makes API keys and sees ping URLs.',
      'manager also adds and removes members. owner also changes the project and its owners.',
      'The default role is member. Without --role, a member keeps the present role.',
    ].join('\n'),
    example: 'overdue project member add Default jane@example.org --role manager',
    options: { role: { type: 'string', choices: ROLES } },
    run: async (context) => (await actions()).add(context),
  },
  {
    words: 'project member invite',
    takes: ['PROJECT'],
    summary: 'print a link to join a project; it also works for people without an account',
    details: [
      'The link can be used once and expires after seven days. Until then, the team page lists it, and managers can revoke it there.',
      'Anyone who has the link can join. The default role is member.',
      'The link begins with SITE_ROOT: run the command with the settings of the server.',
    ].join('\n'),
    example: 'overdue project member invite Default --role read-only',
    options: { role: { type: 'string', choices: ROLES } },
    run: async (context) => (await actions()).printInvitation(context),
  },
  {
    words: 'project member remove',
    takes: ['PROJECT', 'EMAIL'],
    summary: 'remove an account from a project; the account itself is kept',
    details:
      'The only owner cannot be removed. An administrator still sees the project. API keys that the person knows stay valid: use `overdue key revoke` to revoke them.',
    example: 'overdue project member remove Default jane@example.org',
    run: async (context) => (await actions()).remove(context),
  },
  {
    words: 'project member list',
    takes: ['PROJECT'],
    summary: 'list the members of a project and their roles',
    details: 'Administrators see every project, even where they are not members.',
    example: 'overdue project member list Default',
    run: async (context) => (await actions()).list(context),
  },
]
