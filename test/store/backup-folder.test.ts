/** The folder of backups, with the process that makes them. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BackupFolder, createBackupFolder } from '../../src/store/backup-folder.ts'
import { createStore } from '../../src/store/sql-store.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import { type Folder, temporaryFolder } from '../support/sqlite.ts'
import { rejection } from '../support/store-builders.ts'
import { testApp } from '../support/test-app.ts'

const PROGRAM = [process.execPath, join(import.meta.dir, '../../src/main.ts')]
const NAME = 'overdue-20260304T120000Z.db'

let folder: Folder
let database: string
let directory: string
beforeEach(async () => {
  folder = temporaryFolder()
  database = folder.file('o.db')
  directory = folder.file('backups')
  await createStore(await openSqlite({ path: database })).close()
})
afterEach(() => folder.remove())

const backups = (program: readonly string[] = PROGRAM): BackupFolder =>
  createBackupFolder({ directory, database, program, environment: {} })

test('is made where there is none, and holds a backup once that is taken', async () => {
  const place = backups()
  expect(await place.list()).toEqual([])
  expect(statSync(directory).mode & 0o777).toBe(0o700)
  const taken = await place.take(NAME)
  expect(taken).toEqual({ name: NAME, bytes: statSync(join(directory, NAME)).size })
  writeFileSync(join(directory, 'notes.txt'), '')
  expect(await place.list()).toEqual([{ name: NAME, bytes: taken?.bytes ?? 0 }])
  using copy = new Database(join(directory, NAME), { readonly: true })
  expect(copy.query('PRAGMA integrity_check').values()).toEqual([['ok']])
  await place.remove(NAME)
  expect(readdirSync(directory)).toEqual(['notes.txt'])
})

test('is cleared of what a server has left that was killed', async () => {
  const place = backups()
  await place.list()
  writeFileSync(join(directory, `overdue-20260303T120000Z.db.unfinished-${process.ppid}`), 'part')
  await place.take(NAME)
  expect(readdirSync(directory)).toEqual([NAME])
})

test('tells the reason of a failure, and what to do', async () => {
  const place = backups()
  await place.list()
  writeFileSync(database, 'rubbish '.repeat(1_000))
  const error = (await rejection(place.take(NAME))) as Error
  expect(error.message).toContain('file is not a database: the file is not a database: see that DATABASE_URL')
  expect(readdirSync(directory)).toEqual([])
  writeFileSync(folder.file('file'), '')
  const nowhere = createBackupFolder({ directory: folder.file('file'), database, program: PROGRAM, environment: {} })
  expect(((await rejection(nowhere.list())) as Error).message).toContain('see that BACKUP_DIRECTORY names a folder')
})

test('ends a backup that is under way when it is closed, and takes no other', async () => {
  const left = `overdue-20260303T120000Z.db.unfinished-${process.ppid}`
  const endless = backups([
    process.execPath,
    '-e',
    `require('fs').writeFileSync('${directory}/${left}', 'part'); setTimeout(() => {}, 60_000)`,
  ])
  await endless.list()
  const begun = performance.now()
  const taking = endless.take(NAME)
  while (!existsSync(join(directory, left)) && performance.now() < begun + 30_000) await Bun.sleep(2)
  await endless.close()
  expect(readdirSync(directory)).toEqual([])
  expect(await taking).toBeNull()
  expect(performance.now() - begun).toBeLessThan(30_000)
  expect(await endless.take(NAME)).toBeNull()
})

test('begins no backup when it is closed while it clears what is left', async () => {
  const mark = folder.file('begun')
  const place = backups([process.execPath, '-e', `require('fs').writeFileSync('${mark}', '')`])
  await place.list()
  const taking = place.take(NAME)
  await place.close()
  expect(await taking).toBeNull()
  expect(existsSync(mark)).toBe(false)
})

test('that is removed during a backup hides no reason, and does not keep the server from its end', async () => {
  const failing = backups([
    process.execPath,
    '-e',
    `require('fs').rmSync('${directory}', { recursive: true }); console.error('the disk is gone'); process.exit(1)`,
  ])
  await failing.list()
  expect(((await rejection(failing.take(NAME))) as Error).message).toBe('the disk is gone')

  const mark = folder.file('begun')
  const endless = backups([
    process.execPath,
    '-e',
    `require('fs').writeFileSync('${mark}', ''); setTimeout(() => {}, 60_000)`,
  ])
  await endless.list()
  const taking = endless.take(NAME)
  const begun = performance.now()
  while (!existsSync(mark) && performance.now() < begun + 30_000) await Bun.sleep(2)
  rmSync(directory, { recursive: true })
  await endless.close()
  expect(await taking).toBeNull()
})

test('never counts the database among its backups, though it lies there and is called like one', async () => {
  mkdirSync(directory)
  database = join(directory, 'overdue-20260301T120000Z.db')
  await createStore(await openSqlite({ path: database })).close()
  const place = backups()
  await place.take(NAME)
  expect((await place.list()).map(({ name }) => name)).toEqual([NAME])
})

test('is used by a server that is told of it, which shows the newest to whoever asks', async () => {
  const t = await testApp({ env: { DATABASE_URL: `sqlite:${database}`, BACKUP_DIRECTORY: directory } })
  await t.app.settle('backups')
  expect(readdirSync(directory)).toEqual([NAME])
  const bytes = statSync(join(directory, NAME)).size
  const ready = await (await t.call('GET', '/readyz')).text()
  expect(ready).toEndWith(`last backup: at 2026-03-04T12:00:00+00:00, ${bytes} bytes\n`)
  await t.close()
  expect(existsSync(join(directory, NAME))).toBe(true)
})
