/** `overdue import systemd` */
import type { Command } from '../command.ts'
import { PROPOSAL_DETAILS, PROPOSAL_OPTIONS, PROPOSAL_USAGE } from './proposal-options.ts'

const actions = () => import('../actions/import-systemd.ts')

export const importSystemdCommands: readonly Command[] = [
  {
    words: 'import systemd',
    takes: ['FILE...'],
    usage: `[--instance NAME]... ${PROPOSAL_USAGE}`,
    summary: 'propose checks for timers of systemd, and print the drop-ins with which their services ping',
    details: [
      "FILE is a unit file, a drop-in, a folder of them, or what `systemctl cat '*.timer' '*.service'` prints, with --user for those",
      'of a user; - is standard input. NAME says which instance of a template runs: shop for all templates, or dump@shop; it may be',
      'repeated. Services are read to see which of them ping already, and which cannot reach the server: units of their own ping for',
      'those. ZONE, that of schedules that name none, is an IANA name (default: that of this machine). The files need curl; put them',
      'where the line above each says, then run the command at the end.',
      ...PROPOSAL_DETAILS,
    ].join('\n'),
    example: "printf '# /etc/systemd/system/backup.timer\\n[Timer]\\nOnCalendar=daily\\n' | overdue import systemd -",
    options: { instance: { type: 'string', isList: true }, ...PROPOSAL_OPTIONS },
    run: async (context) => (await actions()).importSystemd(context),
  },
]
