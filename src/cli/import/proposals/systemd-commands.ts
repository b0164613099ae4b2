/** `overdue import systemd` */
import type { Command } from '../../command.ts'
import { PROPOSAL_DETAILS, PROPOSAL_OPTIONS, PROPOSAL_USAGE } from './options.ts'

const actions = () => import('./systemd-actions.ts')

export const importSystemdCommands: readonly Command[] = [
  {
    words: 'import systemd',
    takes: ['FILE...'],
    usage: `[--instance NAME]... ${PROPOSAL_USAGE}`,
    summary: 'propose checks for timers of systemd, and print the drop-ins with which their services ping',
    details: [
      'FILE is a unit file, a drop-in, a folder of them, or - for what `systemctl cat` prints. This command prints the active timers and',
      "their services: systemctl cat '*.timer' $(systemctl show --property Unit --value '*.timer'), for a user with --user in both.",
      'NAME says which instance of a template runs: shop for all templates, or dump@shop; it may be repeated. Services and their slices',
      'are read to find out which ping already, and which cannot run curl or reach the server: separate units ping for those.',
      'ZONE, that of schedules that name none, is an IANA name (default: that of this machine). The pings need curl 7.52 and systemd',
      '232 (both of 2016) or newer, separate units systemd 249. Save each file under the path above it, then run the command at the',
      'end.',
      ...PROPOSAL_DETAILS,
    ].join('\n'),
    example: "printf '# /etc/systemd/system/backup.timer\\n[Timer]\\nOnCalendar=daily\\n' | overdue import systemd -",
    options: { instance: { type: 'string', isList: true }, ...PROPOSAL_OPTIONS },
    run: async (context) => (await actions()).importSystemd(context),
  },
]
