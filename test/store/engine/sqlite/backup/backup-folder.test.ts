/** The folder of backups, with the process that creates them. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backupMark } from '../../../../../src/domain/backup.ts'
import { Temporal } from '../../../../../src/lib/time.ts'
import { databaseMark } from '../../../../../src/services/server/backups.ts'
import { type BackupFolder, createBackupFolder } from '../../../../../src/store/engine/sqlite/backup/backup-folder.ts'
import { openSqlite } from '../../../../../src/store/engine/sqlite/sqlite.ts'
import { createStore } from '../../../../../src/store/sql-store/sql-store.ts'
import { type Folder, folderOnDisk } from '../../../../support/folder.ts'
import { rejection, testRandom } from '../../../../support/store-builders.ts'
import { testApp } from '../../../../support/test-app.ts'

const PROGRAM = [process.execPath, join(import.meta.dir, '../../../../../src/main.ts')]
const AT = Temporal.Instant.from('2026-03-04T12:00:00Z')
const MARK = '5f0c71ab'
const NAME = 'overdue-5f0c71ab-20260304T120000Z.db'

let folder: Folder
let database: string
let directory: string
beforeEach(async () => {
  folder = folderOnDisk()
  database = folder.file('o.db')
  directory = folder.file('backups')
  await createStore(await openSqlite({ path: database })).close()
})
afterEach(() => folder.remove())

// Backups run with the lowest priority, so they take long while a machine does other work.
setDefaultTimeout(300_000)

const OPTIONS = { mark: async () => MARK, program: PROGRAM, environment: {} }
const backups = (program: readonly string[] = PROGRAM): BackupFolder =>
  createBackupFolder({ ...OPTIONS, directory, database, program })

test('is created if missing, and holds a backup once that is taken', async () => {
  const place = backups()
  expect(await place.list()).toEqual([])
  expect(existsSync(directory)).toBe(false)
  const taken = await place.take(AT, 'schedule')
  expect(statSync(directory).mode & 0o777).toBe(0o700)
  expect(taken).toEqual({ name: NAME, bytes: statSync(join(directory, NAME)).size })
  writeFileSync(join(directory, 'notes.txt'), '')
  expect(await place.list()).toEqual([{ name: NAME, bytes: taken?.bytes ?? 0 }])
  using copy = new Database(join(directory, NAME), { readonly: true })
  expect(copy.query('PRAGMA integrity_check').values()).toEqual([['ok']])
  await place.remove(NAME)
  expect(readdirSync(directory)).toEqual(['notes.txt'])
})

test('loses what a killed server has left, even if another process has its id by now', async () => {
  const place = backups()
  mkdirSync(directory)
  const killed = Bun.spawn([process.execPath, '-e', ''])
  await killed.exited
  const left = [`overdue-5f0c71ab-20260303T120000Z.db.unfinished-${killed.pid}`, `${NAME}.unfinished-${process.ppid}`]
  for (const name of left) writeFileSync(join(directory, name), 'part')
  const twoHoursAgo = new Date(AT.epochMilliseconds - 7_200_000)
  utimesSync(join(directory, left[1] ?? ''), twoHoursAgo, twoHoursAgo)
  await place.take(AT, 'schedule')
  expect(readdirSync(directory)).toEqual([NAME])
})

test('keeps a copy that a running process writes, and all files of another database', async () => {
  const place = backups()
  mkdirSync(directory)
  const others = [
    `overdue-5f0c71ab-20260303T120000Z.db.unfinished-${process.ppid}`,
    'overdue-00000000-20260303T120000Z.db.unfinished-99999999',
    'overdue-00000000-20260303T120000Z.db',
  ]
  for (const name of others) writeFileSync(join(directory, name), 'part')
  await place.take(AT, 'schedule')
  expect(readdirSync(directory).toSorted()).toEqual([...others, NAME].toSorted())
  expect((await place.list()).map(({ name }) => name)).toEqual([NAME])
})

test('reports the reason of a failure, and what to do', async () => {
  const place = backups()
  mkdirSync(directory)
  writeFileSync(database, 'rubbish '.repeat(1_000))
  const error = (await rejection(place.take(AT, 'schedule'))) as Error
  expect(error.message).toContain('file is not a database: the file is not a database: check that DATABASE_URL')
  expect(readdirSync(directory)).toEqual([])
  writeFileSync(folder.file('file'), '')
  const nowhere = createBackupFolder({ ...OPTIONS, directory: folder.file('file'), database })
  expect(((await rejection(nowhere.list())) as Error).message).toContain(
    'check that BACKUP_DIRECTORY points to a folder',
  )
})

test('ends a backup that is under way when it is closed, and starts no other', async () => {
  const endless = backups([
    process.execPath,
    '-e',
    `require('fs').writeFileSync('${directory}/${NAME}.unfinished-' + process.pid, 'part'); setTimeout(() => {}, 600_000)`,
  ])
  mkdirSync(directory)
  const taking = endless.take(AT, 'schedule')
  while (readdirSync(directory).length === 0) await Bun.sleep(2)
  const begun = performance.now()
  await endless.close()
  expect(readdirSync(directory)).toEqual([])
  expect(await taking).toBeNull()
  expect(performance.now() - begun).toBeLessThan(30_000)
  expect(await endless.take(AT, 'schedule')).toBeNull()
})

test('starts no backup if it is closed while it removes old files', async () => {
  const mark = folder.file('begun')
  const place = backups([process.execPath, '-e', `require('fs').writeFileSync('${mark}', '')`])
  mkdirSync(directory)
  const taking = place.take(AT, 'schedule')
  await place.close()
  expect(await taking).toBeNull()
  expect(existsSync(mark)).toBe(false)
})

test('that is removed during a backup does not hide the reason or keep the server from stopping', async () => {
  const failing = backups([
    process.execPath,
    '-e',
    `require('fs').rmSync('${directory}', { recursive: true }); console.error('the disk is gone'); process.exit(1)`,
  ])
  mkdirSync(directory)
  expect(((await rejection(failing.take(AT, 'schedule'))) as Error).message).toBe('the disk is gone')

  const mark = folder.file('begun')
  const endless = backups([
    process.execPath,
    '-e',
    `require('fs').writeFileSync('${mark}', ''); setTimeout(() => {}, 600_000)`,
  ])
  mkdirSync(directory)
  const taking = endless.take(AT, 'schedule')
  while (!existsSync(mark)) await Bun.sleep(2)
  rmSync(directory, { recursive: true })
  await endless.close()
  expect(await taking).toBeNull()
})

test('tells how far a copy is that another process writes, and lists nothing that is no file', async () => {
  const place = backups()
  expect(await place.bytesUnderWay()).toBeNull()
  mkdirSync(directory)
  writeFileSync(join(directory, `${NAME}.unfinished-${process.ppid}`), 'part')
  writeFileSync(join(directory, `${NAME.replace(MARK, '00000000')}.unfinished-${process.ppid}`), 'of another')
  expect(await place.bytesUnderWay()).toBe(4)
  mkdirSync(join(directory, NAME))
  for (const name of ['<b>.db', 'overdue-5f0c71ab-20260304T120000Z-<script>.db', '\n', '-rf']) {
    writeFileSync(join(directory, name), 'x')
  }
  expect(await place.list()).toEqual([])
})

test('never lists the database as a backup, even if it is there under such a name', async () => {
  mkdirSync(directory)
  database = join(directory, 'overdue-5f0c71ab-20260301T120000Z.db')
  await createStore(await openSqlite({ path: database })).close()
  const place = backups()
  await place.take(AT, 'schedule')
  expect((await place.list()).map(({ name }) => name)).toEqual([NAME])
})

describe('two servers that keep their backups in one folder', () => {
  const server = (file: string) =>
    testApp({ env: { DATABASE_URL: `sqlite:${folder.file(file)}`, BACKUP_DIRECTORY: directory, BACKUP_KEEP: '2' } })
  const kept = () => readdirSync(directory).map(backupMark)

  test('keep as many as each is told to, and remove none of the other', async () => {
    const servers = [await server('a.db'), await server('b.db')]
    for (let day = 1; day <= 3; day += 1) {
      for (const t of servers) {
        await t.app.settle('backups')
        t.clock.advance({ hours: 24 })
      }
    }
    const counts = Map.groupBy(kept(), (mark) => mark)
    expect([...counts.values()].map(({ length }) => length)).toEqual([2, 2])
    expect(counts.has(null)).toBe(false)
    for (const t of servers) await t.close()
  })

  test('distinguish a copy of a database from its original, but not a restored one', async () => {
    const placeOf = async (file: string) => {
      const path = folder.file(file)
      const store = createStore(await openSqlite({ path }))
      const mark = await databaseMark({ store, random: testRandom }, path)
      await store.close()
      return createBackupFolder({ ...OPTIONS, directory, database: path, mark: async () => mark })
    }
    const original = await placeOf('o.db')
    const first = await original.take(AT, 'schedule')
    if (!first) throw new Error('a backup was expected')
    expect(await original.list()).toEqual([first])
    for (const file of ['copy.db', 'o.db']) copyFileSync(join(directory, first.name), folder.file(file))
    const copy = await placeOf('copy.db')
    expect(await copy.list()).toEqual([])
    const second = await copy.take(AT, 'schedule')
    expect(await copy.list()).toEqual([second].filter((backup) => backup !== null))
    expect(await (await placeOf('o.db')).list()).toEqual([first])
  })
})

test('is used by a server that is configured to, which shows its newest backup', async () => {
  const t = await testApp({ env: { DATABASE_URL: `sqlite:${database}`, BACKUP_DIRECTORY: directory } })
  await t.app.settle('backups')
  const [name = ''] = readdirSync(directory)
  expect(name).toMatch(/^overdue-[0-9a-f]{8}-20260304T120000Z\.db$/)
  const bytes = statSync(join(directory, name)).size
  const ready = await (await t.call('GET', '/readyz')).text()
  expect(ready).toEndWith(`last backup: at 2026-03-04T12:00:00+00:00, ${bytes} bytes\n`)
  await t.close()
  expect(existsSync(join(directory, name))).toBe(true)
})
