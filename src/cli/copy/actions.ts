/** Implements `overdue copy`. */

import { copyBetween, reopenDatabase, urlOf } from '../../app/engine.ts'
import { databaseAddress } from '../../config/database-address.ts'
import type { DatabaseAddress } from '../../domain/database-address.ts'
import { count } from '../../domain/duration.ts'
import { messageOf } from '../../lib/errors.ts'
import type { Context } from '../command.ts'
import { shellWordOfUrl } from '../hints.ts'
import { stopSignal } from '../terminal/stop-signal.ts'
import { optionError } from '../usage.ts'

export function copy(context: Context): Promise<undefined> {
  return context.values.reopen ? reopen(context) : copyAll(context)
}

async function copyAll(context: Context): Promise<undefined> {
  const { values, now, showProgress, print } = context
  if (values.from === undefined && values.to === undefined) {
    const hint = 'give --from, --to or both; DATABASE_URL is used for the option that you leave out'
    throw optionError('copy needs two databases', hint)
  }
  const source = await addressOf(context, 'from')
  const target = await addressOf(context, 'to')
  const [from, to] = [urlOf(source), urlOf(target)]
  if (from === to) throw optionError('a database cannot be copied into itself', 'give another database as --to')
  const begun = performance.now()
  const signal = stopSignal(context)
  const { tables, rowsBefore } = await showProgress((onWork) => copyBetween(source, target, { now, signal, onWork }))
  const seconds = Math.round(performance.now() - begun) / 1000
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const countOf = (name: string) => tables.find(({ table }) => table === name)?.rows ?? 0
  const contents = [count(countOf('projects'), 'project'), count(countOf('checks'), 'check')].join(', ')
  const found = rowsBefore > 0 ? `; ${count(rowsBefore, 'row')} copied before` : ''
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
      'Both databases were read and compared, and they are equal.',
      `Set DATABASE_URL to ${to} and start the server. The server rebuilds the search index.`,
      `${from} cannot be used until you run \`overdue copy --reopen --from ${shellWordOfUrl(from)}\`.`,
    ].join('\n'),
  )
}

async function reopen(context: Context): Promise<undefined> {
  const { values, showProgress, print } = context
  if (values.to !== undefined) throw optionError('--reopen takes no --to', 'give the source as --from')
  const source = await addressOf(context, 'from')
  const from = urlOf(source)
  const { to, isComplete } = await showProgress((onWork) => reopenDatabase(source, onWork))
  const copied = isComplete ? 'was copied to' : 'was partly copied to'
  print(
    { database: from, copied_to: to, complete: isComplete },
    to === null ? `${from} was not copied. It can be used.` : `${from} ${copied} ${to}. It can be used again.`,
  )
}

/** @throws Refusal `option-invalid` */
async function addressOf({ values, readConfig }: Context, side: 'from' | 'to'): Promise<DatabaseAddress> {
  const given = values[side]
  const address = given === undefined ? (await readConfig()).database : parse(String(given), side)
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
