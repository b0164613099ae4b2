/** `overdue account suspend`, `unsuspend` and `sign-out`. */
import type { Command } from '../command.ts'

const actions = () => import('./state-actions.ts')

export const accountStateCommands: readonly Command[] = [
  {
    words: 'account suspend',
    takes: ['EMAIL'],
    summary: 'keep an account from signing in, and end its sessions and links',
    details: 'Its checks, projects and API keys go on. `overdue account unsuspend` lets it sign in again.',
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
