/** A log beside a database that it was not written for, as it is left when the file of a server was replaced. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { copyFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { UserError } from '../../src/domain/errors.ts'
import { backUp } from '../../src/store/backup.ts'
import type { Database as Seam } from '../../src/store/database.ts'
import { restore } from '../../src/store/restore.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import { type Folder, temporaryFolder } from '../support/sqlite.ts'
import { rejection } from '../support/store-builders.ts'

let folder: Folder
let path: string
beforeEach(() => {
  folder = temporaryFolder()
  path = folder.file('o.db')
})
afterEach(() => folder.remove())

const mark = (database: Seam, name: string, value = '') =>
  database.write((sql) => sql.run('INSERT INTO settings (name, value) VALUES ($1, $2)', [name, value]))
const marks = async (database: Seam) =>
  (await database.read((sql) => sql.all<{ name: string }>('SELECT name FROM settings ORDER BY name', []))).map(
    ({ name }) => name,
  )

/** What a server that was killed leaves: a database, and a log with what was answered last. */
async function killed(at: string, name: string): Promise<void> {
  const database = await openSqlite({ path: folder.file('running.db') })
  for (let n = 0; n < 20; n += 1) await mark(database, `${name} ${n}`, 'x'.repeat(2_000))
  copyFileSync(folder.file('running.db'), at)
  copyFileSync(folder.file('running.db-wal'), `${at}-wal`)
  await database.close()
  for (const file of readdirSync(folder.path))
    if (file.startsWith('running')) renameSync(folder.file(file), folder.file(`${name}-${file}`))
}

/** A backup of a database in which one thing stands. */
async function backup(file: string): Promise<void> {
  const source = folder.file(`${crypto.randomUUID()}.db`)
  const database = await openSqlite({ path: source })
  await mark(database, 'from the backup')
  await database.close()
  await backUp({ database: source, file: `${source}.copy`, replace: false })
  renameSync(`${source}.copy`, file)
}

async function refusal(work: Promise<unknown>): Promise<UserError> {
  const error = await rejection(work)
  if (!(error instanceof UserError)) throw error
  return error
}

const contents = () =>
  readdirSync(folder.path)
    .filter((name) => name.startsWith('o.db') && !name.endsWith('-shm'))
    .map((name) => [name, readFileSync(folder.file(name)).toString('base64')])

describe('a backup that was moved to where a database with a log was', () => {
  beforeEach(async () => {
    await killed(path, 'former')
    await backup(path)
  })

  const WAYS: Readonly<Record<string, () => Promise<unknown>>> = {
    'a server': () => openSqlite({ path }),
    'a command': () => openSqlite({ path, create: false }),
    backup: () => backUp({ database: path, file: folder.file('copy.db'), replace: false }),
    'restore in its place': async () => {
      await backup(folder.file('backup.db'))
      await restore({ database: path, file: folder.file('backup.db'), replace: true, keepAs: 'before' })
    },
    'restore from it': () => restore({ database: folder.file('new.db'), file: path, replace: false, keepAs: 'before' }),
  }
  for (const [who, work] of Object.entries(WAYS)) {
    test(`is told by ${who}, with both files and what to do, and both stay as they are`, async () => {
      const before = contents()
      const { message, hint } = await refusal(work())
      expect(message).toBe(`the log ${path}-wal is not of the database ${path} beside it, but of another file`)
      expect(hint).toStartWith(`to use ${path} as it is, move the log away: mv ${path}-wal ${path}-wal.kept;`)
      expect(contents()).toEqual(before)
    })
  }

  test('is used when the log was moved away, and the former database when it was put back beside its log', async () => {
    renameSync(`${path}-wal`, `${path}-wal.kept`)
    const started = await openSqlite({ path })
    expect(await marks(started)).toEqual(['from the backup'])
    await started.close()
    renameSync(`${path}-wal.kept`, `${path}-wal`)
    await killed(path, 'again')
    const former = await openSqlite({ path })
    expect(await marks(former)).toHaveLength(20)
    await former.close()
  })
})

describe('the bare file of another server', () => {
  beforeEach(async () => {
    await killed(folder.file('one.db'), 'one')
    const other = await openSqlite({ path })
    await other.write((sql) => sql.run('CREATE TABLE other (x)', []))
    for (let n = 0; n < 50; n += 1) await mark(other, `other ${n}`, 'y'.repeat(3_000))
    await other.close()
    copyFileSync(folder.file('one.db-wal'), `${path}-wal`)
  })

  test('is told to be whole without that log by a server and by restore, and stays as it is', async () => {
    const before = contents()
    await backup(folder.file('backup.db'))
    const bringBack = () => restore({ database: path, file: folder.file('backup.db'), replace: true, keepAs: 'before' })
    for (const work of [() => openSqlite({ path }), bringBack]) {
      const { message, hint } = await refusal(work())
      expect(message).toStartWith(`the database ${path} is whole, but not together with its log ${path}-wal (`)
      expect(message).toEndWith('): the log is of another file, or damaged')
      expect(hint).toContain(`mv ${path}-wal ${path}-wal.kept`)
      expect(contents()).toEqual(before)
    }
  })
})

test('a database that was killed is brought back with its own log', async () => {
  await killed(path, 'own')
  const database = await openSqlite({ path })
  expect(await marks(database)).toHaveLength(20)
  await database.close()
})

test("a log in which nothing stands is in nobody's way", async () => {
  await backup(path)
  writeFileSync(`${path}-wal`, '')
  const database = await openSqlite({ path })
  expect(await marks(database)).toEqual(['from the backup'])
  await database.close()
  using alone = new Database(path, { readonly: true })
  expect(alone.query('PRAGMA integrity_check').values()).toEqual([['ok']])
})
