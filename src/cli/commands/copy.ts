/** `overdue copy` */
import { databaseAddress } from '../../config/database-address.ts'
import type { DatabaseAddress } from '../../domain/database-address.ts'
import { count } from '../../domain/duration.ts'
import { copyBetween, reopenDatabase, urlOf } from '../../engine.ts'
import { messageOf } from '../../lib/errors.ts'
import type { Command, Context } from '../command.ts'
import { shellWordOfUrl } from '../hints.ts'
import { stopSignal } from '../stop-signal.ts'
import { optionError } from '../usage.ts'

export const copyCommands: readonly Command[] = [
  {
    words: 'copy',
    usage: '[--from URL] [--to URL] [--reopen]',
    summary: 'copy everything into another database, of SQLite or PostgreSQL; stop the server first',
    details: [
      'URL is as in DATABASE_URL, which is used for the side that you leave out. The target is new, or empty.',
      'A copy that was interrupted, by Ctrl-C too, goes on where it was when the same command runs again.',
      'At the end both sides are read and compared. From then on the source refuses to be used;',
      '--reopen, with the source as --from or DATABASE_URL, allows it again.',
    ].join('\n'),
    example: 'overdue copy --from sqlite:/data/overdue.db --to postgres://overdue:password@db.example.org/overdue',
    options: { from: { type: 'string' }, to: { type: 'string' }, reopen: { type: 'boolean', default: false } },
    run: (context) => (context.values.reopen ? reopen(context) : copy(context)),
  },
]

async function copy(context: Context): Promise<undefined> {
  const { values, now, showProgress, print } = context
  if (values.from === undefined && values.to === undefined) {
    const hint = 'give --from, --to or both; DATABASE_URL is used for the one that you leave out'
    throw optionError('copy needs two databases', hint)
  }
  const [source, target] = [addressOf(context, 'from'), addressOf(context, 'to')]
  const [from, to] = [urlOf(source), urlOf(target)]
  if (from === to) throw optionError('a database cannot be copied into itself', 'give another database as --to')
  const begun = performance.now()
  const signal = stopSignal()
  const { tables, rowsBefore } = await showProgress((onWork) => copyBetween(source, target, { now, signal, onWork }))
  const seconds = Math.round(performance.now() - begun) / 1000
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const countOf = (name: string) => tables.find(({ table }) => table === name)?.rows ?? 0
  const contents = [count(countOf('projects'), 'project'), count(countOf('checks'), 'check')].join(', ')
  const found = rowsBefore > 0 ? `; ${count(rowsBefore, 'row')} had been copied before` : ''
  print(
    {
      from,
      to,
      seconds,
      rows,
      rows_copied_before: rowsBefore,
      tables: Object.fromEntries(tables.map(({ table, rows, checksum }) => [table, { rows, sha256: checksum }])),
    },
    [
      `Copied ${from} to ${to}: ${contents} and ${count(countOf('pings'), 'ping')} (${count(rows, 'row')} in all, ${seconds.toFixed(1)} s${found})`,
      'Both sides were read, and are equal.',
      `Set DATABASE_URL to ${to} and start the server. The search reads the log again.`,
      `${from} refuses to be used until \`overdue copy --reopen --from ${shellWordOfUrl(from)}\`.`,
    ].join('\n'),
  )
}

async function reopen(context: Context): Promise<undefined> {
  const { values, showProgress, print } = context
  if (values.to !== undefined) throw optionError('--reopen takes no --to', 'give the source as --from')
  const source = addressOf(context, 'from')
  const from = urlOf(source)
  const { to, isComplete } = await showProgress((onWork) => reopenDatabase(source, onWork))
  const copied = isComplete ? 'was copied to' : 'had begun to be copied to'
  print(
    { database: from, copied_to: to, complete: isComplete },
    to === null ? `${from} was not copied, and can be used` : `${from} ${copied} ${to}, and can be used again`,
  )
}

/** @throws Refusal `option-invalid` */
function addressOf({ values, config }: Context, side: 'from' | 'to'): DatabaseAddress {
  const given = values[side]
  const address = given === undefined ? config.database : parse(String(given), side)
  if (address.engine === 'postgres' || address.path !== ':memory:') return address
  throw optionError(`--${side}: a database in memory cannot be copied`, 'use sqlite:<path of a file>')
}

function parse(given: string, side: string): DatabaseAddress {
  try {
    return databaseAddress(given)
  } catch (error) {
    throw optionError(`--${side}: ${messageOf(error)}`, 'write it as in DATABASE_URL; see docs/settings.md')
  }
}
