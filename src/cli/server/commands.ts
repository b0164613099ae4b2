/** Describes `overdue serve`, and the commands that maintain a server. */
import type { Command } from '../command.ts'

const actions = () => import('./actions.ts')

export const serverCommands: readonly Command[] = [
  {
    words: 'serve',
    summary: 'run the server until SIGTERM or SIGINT',
    example: 'PORT=8080 overdue serve',
    createsDatabase: true,
    run: async (context) => (await import('./serve.ts')).serve(context),
  },
  {
    words: 'migrate',
    summary: 'create the database, or migrate it to this version',
    example: 'overdue migrate',
    createsDatabase: true,
    run: async (context) => (await actions()).migrate(context),
  },
  {
    words: 'check-config',
    summary: 'check the settings, and print them without secrets',
    example: 'overdue check-config',
    run: async (context) => (await actions()).checkConfig(context),
  },
  {
    words: 'health',
    summary: 'check the server on HOST and PORT; the exit status is 0 if it is healthy',
    example: 'PORT=8080 overdue health',
    run: async (context) => (await actions()).health(context),
  },
]
