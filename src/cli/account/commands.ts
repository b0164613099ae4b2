/** Describes the `overdue account` commands. */
import type { Command } from '../command.ts'

const actions = () => import('./actions.ts')

const LINK_DETAILS = 'The link begins with SITE_ROOT: run the command with the settings of the server.'
const PASSWORD_LINK_DETAILS = `${LINK_DETAILS} A new link invalidates earlier links of the account.`

export const accountCommands: readonly Command[] = [
  {
    words: 'account link',
    takes: ['[EMAIL]'],
    summary: 'print a link that creates the first account, or that signs in once',
    details: [
      'Without EMAIL, it prints a link that creates the first account. The link expires after an hour, or as soon as an account exists.',
      'With EMAIL, it prints a link that signs in the account owner without a password or the OpenID provider.',
      'That link can be used once and expires after an hour.',
      LINK_DETAILS,
    ].join('\n'),
    example: 'overdue account link',
    run: async (context) => (await actions()).link(context),
  },
  {
    words: 'account create',
    takes: ['EMAIL'],
    summary: 'create an account, and print a link to choose its password',
    details: [
      'Send the link to the account owner: the first person who opens it chooses the password. It can be used once and expires after a day.',
      PASSWORD_LINK_DETAILS,
      'With REMOTE_USER_HEADER or without LOCAL_SIGN_IN, there is no link, because users sign in elsewhere.',
      'An administrator has the rights of an owner in every project. Other accounts see the projects that',
      '`overdue project member add` gives them.',
    ].join('\n'),
    example: 'overdue account create jane@example.org',
    options: { administrator: { type: 'boolean', default: false } },
    run: async (context) => (await actions()).create(context),
  },
  {
    words: 'account list',
    summary: 'list the accounts',
    details: 'PROJECTS is the number of projects in which the account is a member. An administrator sees all of them.',
    example: 'overdue account list',
    run: async (context) => (await actions()).list(context),
  },
  {
    words: 'account reset',
    takes: ['EMAIL'],
    summary: 'print a link to choose another password, or remove the second factor',
    details: [
      'The link can be used once and expires after a day. The old password stays valid until it is replaced.',
      'All sessions of the account then end.',
      PASSWORD_LINK_DETAILS,
      'With --second-factor it prints no link. It removes the authenticator app, the recovery codes and the passkeys of',
      'an owner who has lost them, and ends all sessions of the account.',
    ].join('\n'),
    example: 'overdue account reset jane@example.org',
    options: { 'second-factor': { type: 'boolean', default: false } },
    run: async (context) => (await actions()).reset(context),
  },
  {
    words: 'account delete',
    takes: ['EMAIL'],
    summary: 'delete an account, its memberships and its sessions',
    details: [
      'Projects stay. A project that nobody else owns then has no owner, and only administrators manage it.',
      'On a terminal, it asks first unless --yes is given.',
    ].join('\n'),
    example: 'overdue account delete jane@example.org --yes',
    options: { yes: { type: 'boolean', default: false } },
    run: async (context) => (await actions()).remove(context),
  },
  {
    words: 'account suspend',
    takes: ['EMAIL'],
    summary: 'suspend an account: it cannot sign in, and its sessions and links end',
    details: 'Its checks, projects and API keys keep working. `overdue account unsuspend` lets it sign in again.',
    example: 'overdue account suspend jane@example.org',
    run: async (context) => (await actions()).suspend(context),
  },
  {
    words: 'account unsuspend',
    takes: ['EMAIL'],
    summary: 'let a suspended account sign in again',
    example: 'overdue account unsuspend jane@example.org',
    run: async (context) => (await actions()).unsuspend(context),
  },
  {
    words: 'account sign-out',
    takes: ['EMAIL'],
    summary: 'end all sessions of an account',
    details: 'Its owner can sign in again.',
    example: 'overdue account sign-out jane@example.org',
    run: async (context) => (await actions()).signOut(context),
  },
]
