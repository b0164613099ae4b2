/** `overdue copy` */
import type { Command } from '../command.ts'

const actions = () => import('./actions.ts')

export const copyCommands: readonly Command[] = [
  {
    words: 'copy',
    summary: 'copy everything into another database, of SQLite or PostgreSQL; stop the server first',
    details: [
      'URL is as in DATABASE_URL, which is used for the option that you leave out. The target must be new or empty.',
      'An interrupted copy, also by Ctrl-C, resumes where it stopped when the same command runs again.',
      'At the end, both databases are read and compared. From then on, no program can use the source;',
      '--reopen, with the source as --from or DATABASE_URL, makes it usable again.',
    ].join('\n'),
    example: 'overdue copy --from sqlite:/data/overdue.db --to postgres://overdue:password@db.example.org/overdue',
    options: {
      from: { type: 'string', value: 'URL' },
      to: { type: 'string', value: 'URL' },
      reopen: { type: 'boolean', default: false },
    },
    run: async (context) => (await actions()).copy(context),
  },
]
