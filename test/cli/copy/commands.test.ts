/** `overdue copy`, to the engine of the suite and back. */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { readConfig } from '../../../src/config/config.ts'
import { shownDatabase } from '../../../src/domain/database-address.ts'
import { UNTIMED } from '../../../src/store/sql/steps.ts'
import { createStore } from '../../../src/store/sql-store/sql-store.ts'
import { run } from '../../support/command-line.ts'
import { ENGINE, testDatabase } from '../../support/databases.ts'
import { environment } from '../../support/environment.ts'
import { openUrl } from '../../support/open-url.ts'
import type { TestDatabase } from '../../support/opened-stores.ts'
import { FROM_SOURCE } from '../../support/served.ts'
import { bytes, storeFixture } from '../../support/store-builders.ts'
import { type Folder, folder } from '../support.ts'

// Each test copies a database, some of them a large one.
setDefaultTimeout(60_000)

let f: Folder
let target: TestDatabase
/** names of both databases as the program shows them */
let shown: { readonly from: string; readonly to: string }
beforeEach(async () => {
  f = folder()
  target = await testDatabase()
  const { database } = readConfig({ DATABASE_URL: target.url })
  shown = { from: f.url, to: database.engine === 'sqlite' ? target.url : shownDatabase(database) }
})
afterEach(async () => {
  f.remove()
  await target.remove()
})

const makeSource = async () => {
  expect((await run(['project', 'create', 'Nightly'], { DATABASE_URL: f.url })).code).toBe(0)
}

test('a copy prints what it holds and what to do next, and the source refuses until it is opened again', async () => {
  await makeSource()
  const { code, out, err } = await run(['copy', '--from', f.url, '--to', target.url])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const [first, ...rest] = out.trimEnd().split('\n')
  expect(first).toStartWith(`Copied ${shown.from} to ${shown.to}: 1 project, 0 checks and 0 pings (10 rows in all, `)
  expect(rest).toEqual([
    'Both databases were read and compared, and they are equal.',
    `Set DATABASE_URL to ${shown.to} and start the server. The server rebuilds the search index.`,
    `${shown.from} cannot be used until you run \`overdue copy --reopen --from ${shown.from}\`.`,
  ])
  expect((await run(['project', 'list'], { DATABASE_URL: target.url })).out).toContain('Nightly')

  const refused = await run(['serve'], { DATABASE_URL: f.url })
  expect(refused.code).toBe(1)
  expect(refused.err).toStartWith(`the database ${shown.from} was copied to ${shown.to} at 2`)
  expect(refused.err).toContain(
    `→ set DATABASE_URL to ${shown.to}; or, to use this database again without the changes that were made to the copy, run `,
  )
  const reopened = await run(['copy', '--reopen', '--json'], { DATABASE_URL: f.url })
  expect(JSON.parse(reopened.out)).toEqual({ database: shown.from, copied_to: shown.to, complete: true })
  expect((await run(['project', 'list'], { DATABASE_URL: f.url })).code).toBe(0)
})

test('DATABASE_URL is the side that is left out, and a copy back gives the same checksums', async () => {
  await makeSource()
  const there = JSON.parse((await run(['copy', '--from', f.url, '--json'], { DATABASE_URL: target.url })).out)
  expect(there).toMatchObject({ ...shown, rows: 10, rows_copied_before: 0, tables: { projects: { rows: 1 } } })
  const third = `sqlite:${join(f.path, 'back.db')}`
  const back = JSON.parse((await run(['copy', '--to', third, '--json'], { DATABASE_URL: target.url })).out)
  expect(back).toMatchObject({ from: shown.to, to: third })
  expect(back.tables).toEqual(there.tables)
})

/** @returns number of bytes or log rows that have reached the target */
async function countCopied(): Promise<number> {
  const { database } = readConfig({ DATABASE_URL: target.url })
  if (database.engine === 'sqlite') return statSync(`${database.path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  const { host = '', port } = database.hosts[0] ?? {}
  const sql = new SQL({
    path: `${host}/.s.PGSQL.${port}`,
    username: database.user,
    database: database.database,
    max: 1,
  })
  const [row] = await sql.unsafe('SELECT COUNT(*)::float8 AS rows FROM pings')
  await sql.close()
  return row.rows
}

/** Ends a copy of 20,000 pings by a signal after some have reached the target. */
async function endCopy(signal: 'SIGINT' | 'SIGKILL') {
  const store = createStore(await openUrl(f.url), UNTIMED)
  const g = await storeFixture(async () => ({ store, another: null, close: () => store.close() }))
  const check = await g.check()
  const body = bytes('x'.repeat(1_000))
  for (let n = 0; n < 40; n++) await g.commit(...Array.from({ length: 500 }, () => g.arrival(check, { body })))
  await g.close()
  const child = Bun.spawn([...FROM_SOURCE.command, 'copy', '--from', f.url, '--to', target.url], {
    cwd: FROM_SOURCE.cwd,
    env: environment({}),
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const enough = ENGINE === 'sqlite' ? 4_000_000 : 1
  while ((await countCopied()) < enough && child.exitCode === null) await Bun.sleep(5)
  child.kill(signal)
  return { code: await child.exited, err: await child.stderr.text() }
}

test('a copy that was killed goes on where it was', async () => {
  expect((await endCopy('SIGKILL')).code).not.toBe(0)
  const half = await run(['project', 'list'], { DATABASE_URL: target.url })
  expect(half.err).toStartWith(`the database ${shown.to} is incomplete: the copy from ${shown.from} that began at `)
  const again = await run(['copy', '--from', f.url, '--to', target.url, '--json'])
  expect(again.err).toBe('')
  const result = JSON.parse(again.out)
  expect(result.rows_copied_before).toBeGreaterThan(100)
  expect(result.tables.pings.rows).toBe(20_000)
})

test('Ctrl-C ends a copy after the page under way, and it says how far it came', async () => {
  const { code, err } = await endCopy('SIGINT')
  const [, rows = ''] = /^the copy was stopped: (\d+) of 200\d\d rows are in /.exec(err) ?? []
  expect({ code, err }).toEqual({
    code: 130,
    err: expect.stringMatching(/^the copy .*\n→ run the same command again: it resumes where it stopped\n$/),
  })
  const again = await run(['copy', '--from', f.url, '--to', target.url, '--json'])
  expect(JSON.parse(again.out)).toMatchObject({ rows_copied_before: Number(rows), tables: { pings: { rows: 20_000 } } })
})

test('a copy that is refused leaves a new database that a server can use', async () => {
  await makeSource()
  expect((await run(['copy', '--from', f.url, '--to', target.url])).code).toBe(0)
  const third = `sqlite:${join(f.path, 'third.db')}`
  expect((await run(['copy', '--from', f.url, '--to', third])).err).toContain('was copied to')
  expect((await run(['project', 'list'], { DATABASE_URL: third })).code).toBe(0)
})

test('a database in use is refused, and what no database can be', async () => {
  await makeSource()
  const server = await openUrl(f.url)
  const inUse = await run(['copy', '--from', f.url, '--to', target.url])
  await server.close()
  expect(inUse.code).toBe(1)
  expect(inUse.err).toContain(' is using the database ')
  expect(inUse.err).toContain('→ stop the server')

  const mistakes: readonly (readonly [words: readonly string[], error: string])[] = [
    [[], 'copy needs two databases'],
    [['--to', f.url], 'a database cannot be copied into itself'],
    [['--to', 'sqlite::memory:'], '--to: a database in memory cannot be copied'],
    [['--from', 'postgres://u:hidden@h/'], '--from: '],
    [['--reopen', '--to', f.url], '--reopen takes no --to'],
  ]
  for (const [words, error] of mistakes) {
    const { code, err } = await run(['copy', ...words], { DATABASE_URL: f.url })
    expect({ words, code }).toEqual({ words, code: 2 })
    expect(err).toStartWith(error)
    expect(err).not.toContain('hidden')
  }
})
