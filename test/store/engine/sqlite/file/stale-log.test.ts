/** A log that was written for another database, for example because the file of a server was replaced. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { copyFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { backUp } from '../../../../../src/store/engine/sqlite/backup/backup.ts'
import { restore } from '../../../../../src/store/engine/sqlite/backup/restore.ts'
import { openSqlite } from '../../../../../src/store/engine/sqlite/sqlite.ts'
import type { Database as Seam } from '../../../../../src/store/sql/database.ts'
import { type Folder, temporaryFolder } from '../../../../support/folder.ts'
import { refusalOf } from '../../../../support/store-builders.ts'

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

/** Creates the files of a killed server: a database, and a log with the newest writes. */
async function killed(at: string, name: string): Promise<void> {
  const database = await openSqlite({ path: folder.file('running.db') })
  for (let n = 0; n < 20; n += 1) await mark(database, `${name} ${n}`, 'x'.repeat(2_000))
  copyFileSync(folder.file('running.db'), at)
  copyFileSync(folder.file('running.db-wal'), `${at}-wal`)
  await database.close()
  for (const file of readdirSync(folder.path))
    if (file.startsWith('running')) renameSync(folder.file(file), folder.file(`${name}-${file}`))
}

/** Creates a backup of a database with one row. */
async function backup(file: string): Promise<void> {
  const source = folder.file(`${crypto.randomUUID()}.db`)
  const database = await openSqlite({ path: source })
  await mark(database, 'from the backup')
  await database.close()
  await backUp({ database: source, file: `${source}.copy`, replace: false })
  renameSync(`${source}.copy`, file)
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
    test(`is refused by ${who}, which names both files and changes neither`, async () => {
      const before = contents()
      expect(await refusalOf(work())).toMatchObject({
        code: 'log-foreign',
        message: `the log ${path}-wal belongs to another file, not to the database ${path} beside it`,
        data: { path, log: `${path}-wal` },
      })
      expect(contents()).toEqual(before)
    })
  }

  test('is used once the log is moved away, and so is the old database once it is back beside its log', async () => {
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

  test('is reported as intact without that log by a server and by restore, and stays unchanged', async () => {
    const before = contents()
    await backup(folder.file('backup.db'))
    const bringBack = () => restore({ database: path, file: folder.file('backup.db'), replace: true, keepAs: 'before' })
    for (const work of [() => openSqlite({ path }), bringBack]) {
      const { code, message, data } = await refusalOf(work())
      expect([code, data]).toEqual(['log-foreign', { path, log: `${path}-wal` }])
      expect(message).toStartWith(
        `the database ${path} is intact by itself, but damaged if read with its log ${path}-wal (`,
      )
      expect(message).toEndWith('): the log belongs to another file or is damaged')
      expect(contents()).toEqual(before)
    }
  })
})

test('the database of a killed server is opened with its own log', async () => {
  await killed(path, 'own')
  const database = await openSqlite({ path })
  expect(await marks(database)).toHaveLength(20)
  await database.close()
})

test('an empty log is ignored', async () => {
  await backup(path)
  writeFileSync(`${path}-wal`, '')
  const database = await openSqlite({ path })
  expect(await marks(database)).toEqual(['from the backup'])
  await database.close()
  using alone = new Database(path, { readonly: true })
  expect(alone.query('PRAGMA integrity_check').values()).toEqual([['ok']])
})
