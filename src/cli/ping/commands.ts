/** Sends a ping to the running server, as a job does. */

import { CHECK_HELP } from '../check/options.ts'
import { type Command, PROJECT } from '../command.ts'

const actions = () => import('./actions.ts')

export const pingCommands: readonly Command[] = [
  {
    words: 'ping',
    takes: ['CHECK'],
    summary: 'ping a check through the running server',
    details: [
      `${CHECK_HELP} With a complete UUID, the command needs no database.`,
      'It signals success, or --start, --fail, --log, or the exit status of a job (0 to 255; 0 is success). --rid links the start',
      'and the end of one run. --at gives the time of a late ping, at most 72 hours ago: the log shows the ping at that time, and the check',
      'is judged by its arrival. --body - reads the body from standard input. The URL is PING_ENDPOINT, or SITE_ROOT/ping/.',
    ].join('\n'),
    example: 'overdue ping backup --project Default --exit-status 1',
    options: {
      ...PROJECT,
      start: { type: 'boolean', default: false },
      fail: { type: 'boolean', default: false, instead: 'start' },
      log: { type: 'boolean', default: false, instead: 'start' },
      'exit-status': { type: 'string', value: 'N', instead: 'start' },
      rid: { type: 'string', value: 'UUID' },
      at: { type: 'string', value: 'TIME' },
      body: { type: 'string', value: 'TEXT' },
    },
    run: async (context) => (await actions()).ping(context),
  },
]
