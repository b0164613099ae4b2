/** Explains a schedule and lists its runs. `overdue schedule` needs a database only with `--check`, and never needs a server. */

import { CHECK_HELP } from '../check/options.ts'
import type { Command } from '../command.ts'

const actions = () => import('./actions.ts')

export const scheduleCommands: readonly Command[] = [
  {
    words: 'schedule',
    takes: ['[EXPRESSION]'],
    usage:
      '[--period SPAN] [--tz ZONE] [--from INSTANT] [--count N] [--check CHECK [--project NAME_OR_ID]] [--grace SPAN] [--stdin]',
    summary: 'explain a schedule, list its next runs, and try it on the last runs of a check',
    details: [
      'EXPRESSION is cron or OnCalendar; SPAN is a number of seconds, or a duration such as 5m, 1h, 1d, 1d 12h. ZONE is an IANA name (default UTC), INSTANT is a time such as',
      '2026-03-29T00:00:00Z (default now), N is 1 to 1000 (default 10).',
      'With --check, it judges the last runs of that check as if it had always had this schedule. Options that you leave out default to the settings',
      'of the check. It prints how many alerts would have been sent, and what `overdue doctor` would change. It changes nothing.',
      CHECK_HELP,
      'With --stdin and no EXPRESSION, it reads lines of {"expr": …, "tz": …, "from": …} from standard input, and answers each',
      'with one line: {"kind": …, "next": [the next five runs]} or {"error": …}.',
    ].join('\n'),
    example: "overdue schedule '30 3 * * MON-FRI' --tz Europe/Riga",
    options: {
      period: { type: 'string' },
      tz: { type: 'string' },
      from: { type: 'string' },
      count: { type: 'string', default: '10' },
      check: { type: 'string' },
      project: { type: 'string' },
      grace: { type: 'string' },
      stdin: { type: 'boolean', default: false },
    },
    run: async (context) => (await actions()).explain(context),
  },
]
