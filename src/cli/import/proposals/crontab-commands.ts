/** `overdue import crontab` */
import type { Command } from '../../command.ts'
import { PROPOSAL_DETAILS, PROPOSAL_OPTIONS, PROPOSAL_USAGE } from './options.ts'

const actions = () => import('./crontab-actions.ts')

export const importCrontabCommands: readonly Command[] = [
  {
    words: 'import crontab',
    takes: ['FILE'],
    usage: `[--system] ${PROPOSAL_USAGE}`,
    summary: 'propose checks for the jobs of a crontab, and print the crontab with pings as a diff',
    details: [
      'FILE is a crontab as `crontab -l` prints it, or - for standard input. /etc/crontab and the files in /etc/cron.d, which have a',
      'user in each line, are known by their paths; --system says it of another file, in which unknown users need a known one beside them.',
      '/etc/anacrontab is known by its name.',
      'ZONE, that of schedules without CRON_TZ, is an IANA name (default: that of this machine). Names come from the names of',
      'programs, never from their arguments. The lines need curl 7.52 (2016) or newer, and keep the exit statuses of the jobs.',
      '`patch` can read what the command writes into a pipe.',
      ...PROPOSAL_DETAILS,
    ].join('\n'),
    example: "printf '0 3 * * * /usr/local/bin/backup.sh\\n' | overdue import crontab - --project Default --apply",
    options: { ...PROPOSAL_OPTIONS, system: { type: 'boolean', default: false } },
    run: async (context) => (await actions()).importCrontab(context),
  },
]
