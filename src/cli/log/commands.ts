/** Describes `overdue log`. */
import { CHECK_HELP } from '../check/options.ts'
import { type Command, PROJECT } from '../command.ts'
import { COUNT_MAX } from '../count-option.ts'

const actions = () => import('./actions.ts')

export const logCommands: readonly Command[] = [
  {
    words: 'log',
    takes: ['[CHECK]', '[N]'],
    summary: 'list the newest pings of a project or the events of a check, or print one ping',
    details: [
      `${CHECK_HELP} With CHECK, it also lists missing runs and status changes. With N, the number of a ping, it prints that ping:`,
      'on a terminal without control characters; in a pipe or a file, standard output has the body byte for byte.',
      `--since is a span before now, such as 2h or 7d, or a time such as 2026-11-17T03:00Z; --limit is 1 to ${COUNT_MAX}, 20 by default.`,
    ].join('\n'),
    example: 'overdue log backup --since 7d',
    options: {
      ...PROJECT,
      since: { type: 'string', value: 'SPAN|TIME' },
      limit: { type: 'string', value: 'N', default: '20' },
    },
    run: async (context) => (await actions()).log(context),
  },
]
