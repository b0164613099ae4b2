/** Backups of real files, and restoring them. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Account } from '../../../../../src/domain/account/account.ts'
import { Temporal } from '../../../../../src/lib/time.ts'
import type { LongWork } from '../../../../../src/lib/work/long-work.ts'
import { backUp } from '../../../../../src/store/engine/sqlite/backup/backup.ts'
import { writeCopy } from '../../../../../src/store/engine/sqlite/backup/backup-file.ts'
import { restore } from '../../../../../src/store/engine/sqlite/backup/restore.ts'
import { openSqlite } from '../../../../../src/store/engine/sqlite/sqlite.ts'
import { FIRST_VERSION, SCHEMA_VERSION } from '../../../../../src/store/sql/migrations.ts'
import { createStore } from '../../../../../src/store/sql-store/sql-store.ts'
import type { Store } from '../../../../../src/store/store.ts'
import { MIDWEEK_NOON } from '../../../../support/clock.ts'
import { type Folder, folderOnDisk } from '../../../../support/folder.ts'
import { anAuthor, refusalOf } from '../../../../support/store-builders.ts'
import { ROWS_BEFORE, TOKENS, TOKENS_AFTER } from '../../../moved-tokens.ts'
import secondModel from '../../../version-13/sqlite.sql' with { type: 'text' }

const AT = Temporal.Instant.from(MIDWEEK_NOON)
/** Process id that no process has. */
const NOBODY = 2_147_483_646

let folder: Folder
let database: string
let file: string
let stores: Store[]
beforeEach(() => {
  folder = folderOnDisk()
  database = folder.file('o.db')
  file = folder.file('backup.db')
  stores = []
})
afterEach(async () => {
  for (const store of stores) await store.close()
  folder.remove()
})

async function open(path = database): Promise<Store> {
  const store = createStore(await openSqlite({ path }))
  stores.push(store)
  return store
}

/** Creates a database that no server uses any more. */
async function closed(value: string, path = database): Promise<void> {
  const store = createStore(await openSqlite({ path }))
  await store.settings.getOrCreate('mark', value)
  await store.server.recordAlive(AT)
  await store.close()
}

function markOf(path: string): string | undefined {
  using opened = new Database(path, { readonly: true })
  return opened.query<{ value: string }, []>("SELECT value FROM settings WHERE name = 'mark'").get()?.value
}

const take = (replace = false) => backUp({ database, file, replace })
const bringBack = (replace = false) => restore({ database, file, replace, keepAs: 'before-then' })

async function refusal(work: Promise<unknown>): Promise<string> {
  const { code, message } = await refusalOf(work)
  return `${code}: ${message}`
}

describe('a backup', () => {
  test('of a database in use is one complete file for this user only, with all that was written', async () => {
    const store = await open()
    await store.settings.getOrCreate('mark', 'written')
    await store.server.recordAlive(AT)
    expect(statSync(`${database}-wal`).size).toBeGreaterThan(0)
    expect(await take()).toEqual({
      file,
      bytes: statSync(file).size,
      version: SCHEMA_VERSION,
      projects: 0,
      checks: 0,
      pings: 0,
      lastWrittenAt: AT,
      keepsItsSecret: false,
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(markOf(file)).toBe('written')
    expect(readdirSync(folder.path).filter((name) => name.startsWith('backup'))).toEqual(['backup.db'])
  })

  test('does not disturb writes in the meantime', async () => {
    const store = await open()
    const writing = new Database(database)
    writing.run('BEGIN IMMEDIATE')
    await take()
    writing.run('COMMIT')
    writing.close()
    expect(await store.settings.getOrCreate('mark', 'after')).toBe('after')
  })

  test('replaces a file only if allowed', async () => {
    await closed('first')
    writeFileSync(file, 'precious')
    expect(await refusal(take())).toBe(`backup-exists: ${file} already exists`)
    expect(readFileSync(file, 'utf8')).toBe('precious')
    await take(true)
    expect(markOf(file)).toBe('first')
  })

  test.each(['a pipe', 'a link to a file', 'a link to nothing'])('never replaces %s', async (what) => {
    await closed('first')
    if (what === 'a pipe') Bun.spawnSync(['mkfifo', file])
    else symlinkSync(folder.file('target.db'), file)
    if (what === 'a link to a file') writeFileSync(folder.file('target.db'), 'precious')
    const { ino } = lstatSync(file)
    for (const replace of [false, true]) {
      expect(await refusal(take(replace))).toBe(`not-regular-file: ${file} is not a regular file`)
    }
    expect(lstatSync(file).ino).toBe(ino)
  })

  test('never replaces the database, whatever path leads to it', async () => {
    await closed('first')
    const [hard, soft] = [folder.file('hard.db'), folder.file('soft.db')]
    linkSync(database, hard)
    symlinkSync(database, soft)
    for (const target of [database, `${database}-wal`, hard, soft]) {
      const told = await refusal(backUp({ database, file: target, replace: true }))
      expect(told).toBe(`backup-is-database: ${target} is the database itself`)
    }
    expect(markOf(database)).toBe('first')
  })

  test.each(['-wal', '-journal'])('never lies beside a log (%s), which would be taken for its own', async (suffix) => {
    await closed('first')
    writeFileSync(`${file}${suffix}`, 'stale')
    for (const replace of [false, true]) {
      expect(await refusal(take(replace))).toBe(`backup-has-log: ${file}${suffix} exists next to ${file}`)
    }
    expect(existsSync(file)).toBe(false)
    expect(readFileSync(`${file}${suffix}`, 'utf8')).toBe('stale')
  })

  test.each<[string, () => Worker]>([
    [
      'ends before it runs',
      () => {
        const thread = new Worker('', { eval: true })
        queueMicrotask(() => thread.emit('error', new Error('no memory for it')))
        return thread
      },
    ],
    [
      'cannot be had',
      () => {
        throw new Error('no thread is left')
      },
    ],
  ])('is whole, and its file closed, also when the thread that syncs it %s', async (_, start) => {
    await closed('first')
    const source = new Database(database)
    await writeCopy(source, file, { startSync: start })
    source.close()
    expect(markOf(file)).toBe('first')
    expect(openFiles()).not.toContain(file)
  })

  test('reports each step as it begins, with the file that grows during the copy', async () => {
    await closed('first')
    const copied = statSync(database).size
    const told: LongWork[] = []
    await backUp({ database, file, replace: false, onWork: (work) => told.push(work) })
    const [bytes, grows] = [statSync(file).size, `${file}.unfinished-${process.pid}`]
    expect(told).toEqual([
      { doing: 'copying', path: database, bytes: copied, grows },
      { doing: 'checking', path: file, bytes, grows: null },
    ])
    const again: LongWork[] = []
    const onWork = (work: LongWork) => again.push(work)
    await restore({ database, file, replace: true, keepAs: 'before', onWork })
    expect(again).toEqual([
      { doing: 'checking', path: file, bytes, grows: null },
      { doing: 'copying', path: file, bytes, grows: `${database}.unfinished-${process.pid}` },
    ])
  })

  test('says why it is not possible', async () => {
    await closed('first')
    const to = (target: string) => refusal(backUp({ database, file: target, replace: true }))
    expect(await to(folder.path)).toBe(`path-is-folder: ${folder.path} is a folder`)
    expect(await to(folder.file('no/b.db'))).toBe(`folder-missing: there is no folder ${folder.file('no')}`)
    expect(await to(`${database}/b.db`)).toStartWith(
      `copy-failed: cannot copy ${database} to ${database}/b.db: ENOTDIR`,
    )
    const nothing = folder.file('nothing.db')
    expect(await refusal(backUp({ database: nothing, file, replace: false }))).toBe(
      `database-missing: there is no database at ${nothing}`,
    )
    expect(await refusal(backUp({ database: ':memory:', file, replace: false }))).toContain('in memory')
    const foreign = folder.file('foreign.db')
    using other = new Database(foreign)
    other.run('CREATE TABLE things (id INTEGER)')
    expect(await refusal(backUp({ database: foreign, file, replace: false }))).toContain(
      `${foreign} is not an Overdue database`,
    )
    writeFileSync(folder.file('text.db'), 'no database at all, but long enough to look at it twice'.repeat(40))
    const text = await refusal(backUp({ database: folder.file('text.db'), file, replace: false }))
    expect(text).toContain('file is not a database')
    expect(existsSync(file)).toBe(false)
  })

  test('of a damaged database fails, and the previous backup stays', async () => {
    await closed('first')
    await take()
    damage(database)
    expect(await refusal(take(true))).toMatch(/malformed|copy is damaged/)
    expect(markOf(file)).toBe('first')
    expect(readdirSync(folder.path).filter((name) => name.includes('unfinished'))).toEqual([])
  })

  test('removes what a killed attempt has left, and nothing else', async () => {
    await closed('first')
    const left = [
      `${file}.unfinished-${NOBODY}`,
      `${file}.unfinished-${NOBODY}-journal`,
      `${file}.unfinished-${process.pid}`,
    ]
    const others = [folder.file(`other.db.unfinished-${NOBODY}`), `${file}.unfinished-${process.ppid}`]
    for (const path of [...left, ...others]) writeFileSync(path, 'part')
    await take()
    expect(left.filter(existsSync)).toEqual([])
    expect(others.filter(existsSync)).toEqual(others)
  })
})

describe('a restored backup', () => {
  test('is the new database, with everything in it', async () => {
    await closed('first')
    await take()
    database = folder.file('elsewhere/o.db')
    expect(await bringBack()).toMatchObject({ database, file, kept: null, version: SCHEMA_VERSION, lastWrittenAt: AT })
    expect(statSync(database).mode & 0o777).toBe(0o600)
    expect(statSync(folder.file('elsewhere')).mode & 0o777).toBe(0o700)
    expect(await (await open()).settings.find('mark')).toBe('first')
    expect(markOf(file)).toBe('first')
  })

  test('has its accounts, but no session and no one-time link', async () => {
    const store = await open()
    const account: Account = {
      id: crypto.randomUUID(),
      email: 'jane@example.org',
      passwordHash: 'a hash',
      isAdministrator: false,
      tz: 'UTC',
      theme: 'system',
      hasShortcuts: true,
      morningMail: null,
      listRows: 'dense',
      listPicture: 'runs',
      createdAt: AT,
      isSuspended: false,
      totp: null,
      lastSeenAt: null,
      isEmailConfirmed: true,
    }
    await store.by(anAuthor()).accounts.create(account)
    const session = {
      lookup: 'signed-in',
      accountId: account.id,
      address: null,
      userAgent: '',
      method: null,
      confirmedAt: null,
    }
    await store.by(anAuthor()).sessions.create({ ...session, createdAt: AT, lastSeenAt: AT }, null)
    await store.tokens.create({
      lookup: 'link',
      purpose: 'password',
      accountId: account.id,
      expiresAt: AT.add({ hours: 1 }),
      email: null,
    })
    await take()
    database = folder.file('new.db')
    await bringBack()
    expect(readdirSync(folder.path).filter((name) => name.startsWith('new.db'))).toEqual(['new.db'])
    const restored = await open()
    expect(await restored.accounts.list()).toEqual([{ ...account, lastSeenAt: AT }])
    expect(await restored.sessions.find('signed-in')).toBeNull()
    expect(await restored.tokens.find('link', 'password')).toBeNull()
    // The database itself and the backup stay as they are.
    expect(await store.sessions.find('signed-in')).not.toBeNull()
    expect(await (await open(file)).sessions.find('signed-in')).not.toBeNull()
  })

  test('of an earlier version keeps its recovery codes, and no link, challenge, invitation or offer', async () => {
    using old = new Database(file, { create: true })
    old.run(`${secondModel}; ${ROWS_BEFORE}; PRAGMA user_version = 13`)
    await bringBack()
    await open()
    using restored = new Database(database, { readonly: true })
    expect(restored.query(TOKENS).all()).toEqual(TOKENS_AFTER.filter(({ purpose }) => purpose === 'recovery-code'))
  })

  test('is a regular file, and so is what it replaces', async () => {
    await closed('first')
    await take()
    const pipe = folder.file('pipe')
    Bun.spawnSync(['mkfifo', pipe])
    expect(await refusal(restore({ database, file: pipe, replace: true, keepAs: 'before' }))).toBe(
      `not-regular-file: ${pipe} is not a regular file`,
    )
    expect(await refusal(restore({ database: pipe, file, replace: true, keepAs: 'before' }))).toBe(
      `not-regular-file: cannot use the database ${pipe}: DATABASE_URL points to something that is not a regular file`,
    )
    expect(lstatSync(pipe).isFIFO()).toBe(true)
  })

  test('replaces a database only if allowed, and keeps the old one intact', async () => {
    await closed('first')
    await take()
    const store = await open()
    await store.server.recordAlive(AT.add({ hours: 1 }))
    await store.close()
    stores = []
    const before = readFileSync(database)
    expect(await refusal(bringBack())).toBe(`database-exists: a database already exists at ${database}`)
    expect(readFileSync(database)).toEqual(before)
    const kept = `${database}.before-then`
    expect((await bringBack(true)).kept).toBe(kept)
    expect(await (await open()).server.findAlive()).toEqual(AT)
    expect(await (await open(kept)).server.findAlive()).toEqual(AT.add({ hours: 1 }))
  })

  test.skipIf(process.getuid?.() !== 0)(
    'belongs to whom the database belonged to, else to the owner of its folder, when root restores it (needs root)',
    async () => {
      await closed('first')
      await take()
      const owner = (path: string) => [statSync(path).uid, statSync(path).gid]
      chownSync(database, 4_711, 4_712)
      const { kept } = await bringBack(true)
      expect(owner(database)).toEqual([4_711, 4_712])
      expect(owner(kept ?? '')).toEqual([4_711, 4_712])
      expect(statSync(database).mode & 0o777).toBe(0o600)
      mkdirSync(folder.file('of-a-server'))
      chownSync(folder.file('of-a-server'), 4_713, 4_714)
      database = folder.file('of-a-server/o.db')
      await bringBack()
      expect(owner(database)).toEqual([4_713, 4_714])
    },
  )

  test('succeeds despite what a killed attempt has left, also under our own process id, and removes that', async () => {
    await closed('first')
    await take()
    database = folder.file('new.db')
    const left = [NOBODY, process.pid].flatMap((pid) => [
      `${database}.unfinished-${pid}`,
      `${database}.unfinished-${pid}-journal`,
    ])
    const others = [`${database}.unfinished-${process.ppid}`, folder.file(`other.db.unfinished-${NOBODY}`)]
    for (const path of [...left, ...others]) writeFileSync(path, 'part')
    await bringBack()
    expect(markOf(database)).toBe('first')
    expect(left.filter(existsSync)).toEqual([])
    expect(others.filter(existsSync)).toEqual(others)
  })

  test('is never mixed with the log of a server that was killed', async () => {
    await closed('first')
    await take()
    const killed = new Database(database)
    killed.run("UPDATE settings SET value = 'second' WHERE name = 'mark'")
    // The files of a killed server: its log exists, and nobody has it open.
    const crashed = folder.file('crashed.db')
    for (const suffix of ['', '-wal']) writeFileSync(`${crashed}${suffix}`, readFileSync(`${database}${suffix}`))
    killed.close()
    database = crashed
    await bringBack(true)
    expect(existsSync(`${crashed}-wal`)).toBe(false)
    expect(markOf(crashed)).toBe('first')
    expect(markOf(`${crashed}.before-then`)).toBe('second')
  })

  test('is not mixed with a log that was left without its database', async () => {
    await closed('first')
    await take()
    database = folder.file('gone.db')
    writeFileSync(`${database}-wal`, 'left')
    expect(await bringBack()).toMatchObject({ kept: null, keptLog: `${database}.before-then-wal` })
    expect(readFileSync(`${database}.before-then-wal`, 'utf8')).toBe('left')
    expect(markOf(database)).toBe('first')
  })

  test('is refused until no server uses the database', async () => {
    await closed('first')
    await take()
    const store = await open()
    await store.settings.getOrCreate('other', 'x')
    const told = await refusal(bringBack(true))
    expect(told.replace(` (process ${process.pid})`, '')).toBe(
      `database-in-use: a server or another program is using the database ${database}`,
    )
    expect(await store.settings.find('other')).toBe('x')
    expect(existsSync(`${database}.before-then`)).toBe(false)
  })

  describe.skipIf(process.platform !== 'linux')('is refused until the server has stopped (needs /proc)', () => {
    const away = () => folder.file('away.db')
    const WAYS: Readonly<Record<string, () => void>> = {
      moved: () => renameSync(database, away()),
      deleted: () => rmSync(database),
      'deleted with its log': () => {
        for (const suffix of ['', '-wal', '-shm']) rmSync(`${database}${suffix}`)
      },
    }
    for (const [what, take] of Object.entries(WAYS)) {
      test(`whose file was ${what}, and leaves its log where it is`, async () => {
        await closed('first')
        await backUp({ database, file, replace: false })
        const store = await open()
        await store.settings.getOrCreate('other', 'x')
        take()
        const before = readdirSync(folder.path)
        for (const replace of [false, true]) {
          expect(await refusalOf(bringBack(replace))).toMatchObject({
            code: 'database-in-use',
            message: `a server or another program (process ${process.pid}) still has the database ${database} or its log open, although the file is gone`,
            data: { path: database, pid: process.pid, isGone: true },
          })
        }
        expect(readdirSync(folder.path)).toEqual(before)
        await store.close()
        stores = []
        expect((await bringBack()).database).toBe(database)
      })
    }

    test('whose file was replaced: the new one is not mixed with its log', async () => {
      await closed('first')
      await take()
      await closed('another', folder.file('another.db'))
      const store = await open()
      await store.settings.getOrCreate('other', 'x')
      renameSync(folder.file('another.db'), database)
      const files = [database, `${database}-wal`].map((path) => readFileSync(path))
      expect(await refusal(bringBack(true))).toBe(
        `database-in-use: a server or another program (process ${process.pid}) is using the database ${database}`,
      )
      expect([database, `${database}-wal`].map((path) => readFileSync(path))).toEqual(files)
    })
  })

  test('also replaces a database that is too damaged to be used', async () => {
    await closed('first')
    await take()
    writeFileSync(database, 'rubbish '.repeat(1_000))
    expect((await bringBack(true)).kept).toBe(`${database}.before-then`)
    expect(markOf(database)).toBe('first')
  })

  test('may be a copy of the files of a server, including the log beside it', async () => {
    const store = await open()
    await store.settings.getOrCreate('mark', 'in the log')
    for (const suffix of ['', '-wal']) writeFileSync(`${file}${suffix}`, readFileSync(`${database}${suffix}`))
    database = folder.file('new.db')
    await bringBack()
    expect(markOf(database)).toBe('in the log')
  })

  test('that is not a database, damaged, too new, too old, or missing is refused, and the database stays', async () => {
    await closed('first')
    const from = (path: string) => refusal(restore({ database, file: path, replace: true, keepAs: 'before-then' }))
    expect(await from(folder.file('none.db'))).toContain('there is no file')
    expect(await from(folder.path)).toContain('is not a regular file')
    expect(await from(database)).toContain('is the database itself')
    writeFileSync(file, 'rubbish '.repeat(1_000))
    expect(await from(file)).toContain('is damaged or not a database')
    await take(true)
    damage(file)
    expect(await from(file)).toContain('damaged')
    await take(true)
    const setVersion = (version: number) => {
      using backup = new Database(file)
      backup.run(`PRAGMA user_version = ${version}`)
    }
    setVersion(SCHEMA_VERSION + 1)
    expect(await from(file)).toContain(
      `version ${SCHEMA_VERSION + 1}, but this program supports only versions up to ${SCHEMA_VERSION}`,
    )
    setVersion(FIRST_VERSION - 1)
    expect(await from(file)).toBe(
      `database-too-old: the database ${file} has version 11, but this program supports only version 12 and later`,
    )
    expect(markOf(database)).toBe('first')
    expect(readdirSync(folder.path).filter((name) => /unfinished|before/.test(name))).toEqual([])
  })
})

/** Lists the files that this process has open, where the system shows them. */
function openFiles(): string[] {
  const descriptors = '/proc/self/fd'
  return (existsSync(descriptors) ? readdirSync(descriptors) : []).flatMap((name) => {
    try {
      return [readlinkSync(`${descriptors}/${name}`)]
    } catch {
      // The descriptor by which the folder itself was read.
      return []
    }
  })
}

/** Overwrites pages after the header, so that it still looks like a database. */
function damage(path: string): void {
  const bytes = readFileSync(path)
  bytes.fill(0xa5, 4096 * 2, 4096 * 12)
  writeFileSync(path, bytes)
}
