/** Describes `overdue backup` and `overdue restore`. */
import type { Command } from '../command.ts'

const actions = () => import('./actions.ts')

const ONLY_FILES = 'This command is only for SQLite. For PostgreSQL, use pg_dump and pg_restore: see docs/operate.md.'

export const backupCommands: readonly Command[] = [
  {
    words: 'backup',
    takes: ['FILE'],
    summary: 'copy the database into one file; a server may be running',
    details: [
      'FILE is created only after the copy is complete and has been checked. --force replaces an existing FILE.',
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
      'Sessions and one-time links in the backup become invalid, so users have to sign in again.',
      ONLY_FILES,
    ].join('\n'),
    example: 'overdue restore /backups/overdue.db',
    options: { force: { type: 'boolean', default: false } },
    run: async (context) => (await actions()).restore(context),
  },
]
