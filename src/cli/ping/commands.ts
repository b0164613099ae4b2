/** `overdue ping`: requests the ping URL of the server, as a job does. */

import { CHECK_HELP } from '../check/options.ts'
import type { Command } from '../command.ts'

const actions = () => import('./actions.ts')

export const pingCommands: readonly Command[] = [
  {
    words: 'ping',
    takes: ['CHECK'],
    usage: '[--project NAME_OR_ID] [--start | --fail | --log | --exit-status N] [--rid UUID] [--body TEXT]',
    summary: 'ping a check through the running server',
    details: [
      `${CHECK_HELP} A whole UUID needs no --project.`,
      'It signals success, or --start, --fail, --log, or the exit status of a job (0 to 255; 0 is success). --rid links the start',
      'and the end of one run. --body - reads the body from standard input. The URL is PING_ENDPOINT, or SITE_ROOT/ping/.',
    ].join('\n'),
    example: 'overdue ping backup --project Default --exit-status 1',
    options: {
      project: { type: 'string' },
      start: { type: 'boolean', default: false },
      fail: { type: 'boolean', default: false },
      log: { type: 'boolean', default: false },
      'exit-status': { type: 'string' },
      rid: { type: 'string' },
      body: { type: 'string' },
    },
    run: async (context) => (await actions()).ping(context),
  },
]
