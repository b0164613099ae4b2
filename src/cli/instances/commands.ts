/** `overdue instances` */
import type { Command } from '../command.ts'

const actions = () => import('./actions.ts')

export const instanceCommands: readonly Command[] = [
  {
    words: 'instances',
    summary: 'list the instances on the database',
    details:
      'An instance is a server that runs. It gives a sign of life every ten seconds, with its load since the last one. One that was killed is listed for a day. INSTANCE_NAME names it.',
    example: 'overdue instances',
    run: async (context) => (await actions()).list(context),
  },
]
