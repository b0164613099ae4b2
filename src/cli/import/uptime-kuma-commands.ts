/** `overdue import uptime-kuma` */
import type { Command } from '../command.ts'
import { IMPORT_OPTIONS } from './options.ts'

const actions = () => import('./uptime-kuma-actions.ts')

export const uptimeKumaCommands: readonly Command[] = [
  {
    words: 'import uptime-kuma',
    usage: '--database FILE [--project NAME] [--apply]',
    summary: 'move the push monitors of an Uptime Kuma here; without --apply, say what would happen',
    details: [
      'FILE is data/kuma.db of Uptime Kuma 1 or 2; nothing is written there. Uptime Kuma on MariaDB is not read.',
      'The push monitors become the checks of one project, which is named Uptime Kuma unless --project names it, with their newest',
      'heartbeats as pings, and with the notifications that they use. What cannot be taken is listed with the reason.',
      'Jobs get new ping URLs, which are on the pages of their checks: /api/push/ is not answered here. Nothing is sent.',
    ].join('\n'),
    example: 'overdue import uptime-kuma --database kuma.db --apply',
    options: {
      database: { type: 'string', required: true },
      project: { type: 'string', default: 'Uptime Kuma' },
      ...IMPORT_OPTIONS,
    },
    run: async (context) => (await actions()).importUptimeKuma(context),
  },
]
