/** `overdue log`: the pings of a check, and their content. */
import { CHECK_HELP } from '../check/options.ts'
import { type Command, PROJECT } from '../command.ts'
import { COUNT_MAX } from '../count-option.ts'

const actions = () => import('./actions.ts')

export const logCommands: readonly Command[] = [
  {
    words: 'log',
    takes: ['[CHECK]', '[N]'],
    summary: 'list the newest pings of a project, or what happened to a check, and print what ping N brought',
    details: [
      `${CHECK_HELP} Of a CHECK it also lists what is missing, and when the check went down and up. With N, the number of a ping, it prints that`,
      'ping: programs get its body on standard output as it came, a terminal without control characters.',
      `--since is a span until now, such as 2h or 7d, or a time such as 2026-11-17T03:00Z; --limit is 1 to ${COUNT_MAX}, 20 by default.`,
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
