/** `overdue account suspend`, `unsuspend` and `sign-out`. */
import { OPERATOR } from '../../domain/actor.ts'
import { count } from '../../domain/duration.ts'
import { signOutEverywhere, suspendAccount, unsuspendAccount } from '../../services/accounts/administration.ts'
import type { Command } from '../command.ts'

export const accountStateCommands: readonly Command[] = [
  {
    words: 'account suspend',
    takes: ['EMAIL'],
    summary: 'keep an account from signing in, and end its sessions and links',
    details: 'Its checks, projects and API keys go on. `overdue account unsuspend` lets it sign in again.',
    example: 'overdue account suspend jane@example.org',
    async run({ openDeps, positionals: [name = ''], print }) {
      const { email } = await suspendAccount(await openDeps(), OPERATOR, name)
      print({ email, suspended: true }, `${email} is suspended; its sessions and links have ended`)
      return 0
    },
  },
  {
    words: 'account unsuspend',
    takes: ['EMAIL'],
    summary: 'let a suspended account sign in again',
    example: 'overdue account unsuspend jane@example.org',
    async run({ openDeps, positionals: [name = ''], print }) {
      const { email } = await unsuspendAccount(await openDeps(), OPERATOR, name)
      print({ email, suspended: false }, `${email} can sign in again`)
      return 0
    },
  },
  {
    words: 'account sign-out',
    takes: ['EMAIL'],
    summary: 'end all sessions of an account',
    details: 'Its owner can sign in again.',
    example: 'overdue account sign-out jane@example.org',
    async run({ openDeps, positionals: [email = ''], print }) {
      const ended = await signOutEverywhere(await openDeps(), OPERATOR, email)
      print({ ended }, `ended ${count(ended, 'session')}`)
      return 0
    },
  },
]
