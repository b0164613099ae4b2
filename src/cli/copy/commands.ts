/** `overdue copy` */
import type { Command } from '../command.ts'

const actions = () => import('./actions.ts')

export const copyCommands: readonly Command[] = [
  {
    words: 'copy',
    summary: 'copy everything into another database, of SQLite or PostgreSQL; stop the server first',
    details: [
      'URL is as in DATABASE_URL, which is used for the side that you leave out. The target is new, or empty.',
      'A copy that was interrupted, by Ctrl-C too, goes on where it was when the same command runs again.',
      'At the end both sides are read and compared. From then on the source refuses to be used;',
      '--reopen, with the source as --from or DATABASE_URL, allows it again.',
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
