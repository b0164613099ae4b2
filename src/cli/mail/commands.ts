/** Describes the `overdue mail` commands. */
import type { Command } from '../command.ts'

const actions = () => import('./actions.ts')

export const mailCommands: readonly Command[] = [
  {
    words: 'mail test',
    takes: ['ADDRESS'],
    summary: 'send a test email and print the dialogue with the mail server',
    details:
      'Lines of the client begin with C:, those of the mail server with S:. Credentials are hidden. docs/settings.md describes the settings.',
    example: 'overdue mail test ops@example.org',
    run: async (context) => (await actions()).testMail(context),
  },
  {
    words: 'mail show',
    summary: 'show the mail server that sends email, and where it is set',
    details: 'The password is not shown.',
    example: 'overdue mail show',
    run: async (context) => (await actions()).showMail(context),
  },
]
