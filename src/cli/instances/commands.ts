/** Describes `overdue instances`. */
import type { Command } from '../command.ts'

const actions = () => import('./actions.ts')

export const instanceCommands: readonly Command[] = [
  {
    words: 'instances',
    summary: 'list the instances that use the database',
    details:
      'An instance is a running server. Every ten seconds it reports that it is alive, with its load. A killed instance stays listed for a day. INSTANCE_NAME sets its name.',
    example: 'overdue instances',
    run: async (context) => (await actions()).list(context),
  },
]
