/** Describes `overdue copy`. */
import type { Command } from '../command.ts'

const actions = () => import('./actions.ts')

export const copyCommands: readonly Command[] = [
  {
    words: 'copy',
    summary: 'copy everything into another SQLite or PostgreSQL database; stop the server first',
    details: [
      'URL has the format of DATABASE_URL. If you leave out --from or --to, DATABASE_URL is used for it. The target must be new or empty.',
      'If a copy is interrupted, for example by Ctrl-C, run the same command again: it resumes where it stopped.',
      'At the end, both databases are read and compared. After that, no program can use the source;',
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
