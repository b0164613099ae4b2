/** `overdue import systemd` */
import type { Command } from '../command.ts'
import { PROPOSAL_DETAILS, PROPOSAL_OPTIONS, PROPOSAL_USAGE } from './proposal-options.ts'

const actions = () => import('../actions/import-systemd.ts')

export const importSystemdCommands: readonly Command[] = [
  {
    words: 'import systemd',
    takes: ['FILE...'],
    usage: PROPOSAL_USAGE,
    summary: 'propose checks for timers of systemd, and print the drop-ins with which their services ping',
    details: [
      "FILE is a unit file, a drop-in, a folder of them, or what `systemctl cat '*.timer' '*.service'` prints; - is standard input.",
      'Services are only read to see which of them ping already. ZONE, that of schedules that name none, is an IANA name (default:',
      'that of this machine). The drop-ins need curl; put them into the files that are named above them, then run',
      '`systemctl daemon-reload`.',
      ...PROPOSAL_DETAILS,
    ].join('\n'),
    example: "printf '# /etc/systemd/system/backup.timer\\n[Timer]\\nOnCalendar=daily\\n' | overdue import systemd -",
    options: PROPOSAL_OPTIONS,
    run: async (context) => (await actions()).importSystemd(context),
  },
]
