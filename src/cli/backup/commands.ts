/** `overdue backup` and `overdue restore` */
import type { Command } from '../command.ts'

const actions = () => import('./actions.ts')

const ONLY_FILES = 'Only for SQLite. For PostgreSQL, use pg_dump and pg_restore: see docs/operate.md.'

export const backupCommands: readonly Command[] = [
  {
    words: 'backup',
    takes: ['FILE'],
    summary: 'copy the database into one file; a server may be running',
    details: [
      'FILE appears only when the copy is complete and checked. --force replaces an existing FILE.',
      ONLY_FILES,
    ].join('\n'),
    example: 'overdue backup /backups/overdue.db',
    options: { force: { type: 'boolean', default: false } },
    run: async (context) => (await actions()).backUp(context),
  },
  {
    words: 'restore',
    takes: ['FILE'],
    summary: 'restore the database from a backup; stop the server first',
    details: [
      '--force replaces an existing database, which is kept in the same folder under another name.',
      'All sessions and one-time links of the backup end, so people sign in again.',
      ONLY_FILES,
    ].join('\n'),
    example: 'overdue restore /backups/overdue.db',
    options: { force: { type: 'boolean', default: false } },
    run: async (context) => (await actions()).restore(context),
  },
]
