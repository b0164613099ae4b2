import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { Checkpoints, canCopyInThread } from '../../../../../src/store/engine/sqlite/checkpoints/checkpoints.ts'
import { UNWATCHED, watchFile } from '../../../../../src/store/engine/sqlite/file/file-watch.ts'
import { ConnectionSql, inTransaction } from '../../../../../src/store/engine/sqlite/sql.ts'
import { openSqlite } from '../../../../../src/store/engine/sqlite/sqlite.ts'
import { SqliteThread } from '../../../../../src/store/engine/sqlite/thread.ts'
import { temporaryFolder } from '../../../../support/folder.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const LIMITS = {
  copiedPages: 10,
  shortPages: 100,
  longPages: 100,
  longShare: 0.5,
  spare: 1.5,
  longestPages: 200,
  longestWaitMs: 1_000,
  lookEveryMs: 60_000,
  quietShare: 4,
}
const PAGE = new Uint8Array(4_000)

let count = 0
let path: string
let writer: ConnectionSql
let descriptor: number
let checkpoints: Checkpoints
let told: string[]

beforeEach(() => {
  count += 1
  path = folder.file(`${count}.db`)
  told = []
  writer = new ConnectionSql(new Database(path))
  // The thread keeps writes out while it cuts off the log.
  writer.connection.run('PRAGMA busy_timeout = 1000')
  writer.connection.run('PRAGMA journal_mode = WAL')
  writer.connection.run('CREATE TABLE pages (id INTEGER PRIMARY KEY, body BLOB)')
  descriptor = openSync(path, 'r')
  checkpoints = withCheckpoints()
})

afterEach(async () => {
  await checkpoints.close()
  writer.close()
  closeSync(descriptor)
})

function withCheckpoints(options: Partial<ConstructorParameters<typeof Checkpoints>[0]> = {}): Checkpoints {
  const onFault = (words: string) => void told.push(words)
  const { limits, ...others } = options
  return new Checkpoints({
    writer,
    file: { ...UNWATCHED, descriptor },
    onFault,
    limits: { ...LIMITS, ...limits },
    ...others,
  })
}

/** Writes one page at a time. @returns the greatest number of pages in the log */
async function write(pages: number): Promise<number> {
  let longest = 0
  for (let page = 0; page < pages; page += 1) {
    await checkpoints.makeRoom()
    await insert(writer)
    await checkpoints.committed()
    longest = Math.max(longest, logLength())
  }
  return longest
}

function insert(into: ConnectionSql): Promise<number> {
  return inTransaction(into.connection, 'BEGIN IMMEDIATE', () =>
    into.run('INSERT INTO pages (body) VALUES ($1)', [PAGE]),
  )
}

function logLength(): number {
  return stateOfLog().log
}

function stateOfLog(): { readonly log: number; readonly checkpointed: number } {
  const state = writer.connection.query<{ log: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(NOOP)').get()
  return state ?? { log: 0, checkpointed: 0 }
}

/** Returns the number of rows that a start without the log would find. */
function rowsWithoutLog(): number {
  using alone = new Database(`file://${path}?immutable=1`, 0x41)
  return alone.query<{ n: number }, []>('SELECT count(*) AS n FROM pages').get()?.n ?? 0
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await Bun.sleep(1)
}

test('a log begins again while writes go on, and everything is in the file', async () => {
  const longest = await write(1_500)
  expect(longest).toBeLessThan(LIMITS.longestPages + 50)
  expect(statSync(`${path}-wal`).size).toBeLessThan(300 * 4_120)
  expect(statSync(path).size).toBeGreaterThan(1_000 * 4_096)
  await checkpoints.close()
  expect(writer.connection.query('PRAGMA integrity_check').values()).toEqual([['ok']])
  expect(writer.connection.query('SELECT count(*) FROM pages').values()).toEqual([[1_500]])
  expect(told).toEqual([])
})

test('a log that a reader needs grows, and begins again when the reader is gone', async () => {
  await write(20)
  const reader = new Database(path, { readonly: true })
  reader.run('BEGIN')
  reader.query('SELECT count(*) FROM pages').get()
  expect(await write(300)).toBeGreaterThan(300)
  expect(reader.query('SELECT count(*) FROM pages').values()).toEqual([[20]])
  reader.close()
  await write(50)
  expect(logLength()).toBeLessThan(LIMITS.longestPages)
})

test('two programs that write to one file keep its log short', async () => {
  const other = new ConnectionSql(new Database(path))
  other.connection.run('PRAGMA busy_timeout = 1000')
  const beside = withCheckpoints({ writer: other })
  let longest = 0
  for (let round = 0; round < 500; round += 1) {
    longest = Math.max(longest, await write(1))
    await beside.makeRoom()
    await insert(other)
    await beside.committed()
  }
  await beside.close()
  other.close()
  expect(longest).toBeLessThan(LIMITS.longestPages + 50)
  expect(writer.connection.query('SELECT count(*) FROM pages').values()).toEqual([[1_000]])
})

test('a log is cut off when little is written, and the thread ends until more is', async () => {
  let started = 0
  const startThread = () => {
    started += 1
    return new SqliteThread(0)
  }
  checkpoints = withCheckpoints({ startThread, limits: { ...LIMITS, lookEveryMs: 5 } })
  const isShort = () => statSync(`${path}-wal`).size < LIMITS.copiedPages * 4_120
  await write(60)
  await until(isShort)
  expect(rowsWithoutLog()).toBeGreaterThan(45)
  const before = started
  await write(5)
  expect(started).toBe(before)
  await write(30)
  await until(isShort)
  expect(started).toBeGreaterThan(before)
})

test('a log is cut off when little is written, although a loop writes without a pause', async () => {
  checkpoints = withCheckpoints({ limits: { ...LIMITS, shortPages: 10_000, longPages: 10_000, lookEveryMs: 50 } })
  await write(1_000)
  const isLong = () => statSync(`${path}-wal`).size > 500 * 4_120
  expect(isLong()).toBe(true)
  let written = 0
  for (; written < 2_000 && isLong(); written += 1) {
    await checkpoints.makeRoom()
    await inTransaction(writer.connection, 'BEGIN IMMEDIATE', async () => {
      await Bun.sleep(1)
      return writer.run('INSERT INTO pages (body) VALUES ($1)', [PAGE])
    })
    await checkpoints.committed()
  }
  expect(written).toBeLessThan(500)
})

test('a log that was long becomes short again while a loop goes on to write', async () => {
  const reader = new Database(path, { readonly: true })
  reader.run('BEGIN')
  reader.query('SELECT count(*) FROM pages').get()
  await write(500)
  reader.close()
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(500 * 4_120)
  await write(200)
  expect(statSync(`${path}-wal`).size).toBeLessThan(2 * LIMITS.shortPages * 4_120)
})

test('a log begins again later while more is written', async () => {
  checkpoints = withCheckpoints({ limits: { ...LIMITS, shortPages: 30, longShare: 1_000, lookEveryMs: 5 } })
  let longest = 0
  for (let round = 0; round < 100 && longest < LIMITS.longPages; round += 1) {
    longest = Math.max(longest, await write(10))
    await Bun.sleep(1)
  }
  expect(longest).toBeGreaterThanOrEqual(LIMITS.longPages)
})

test('a log that has just begun again is not cut off while much is written', async () => {
  checkpoints = withCheckpoints({
    limits: { ...LIMITS, shortPages: 10_000, longPages: 10_000, lookEveryMs: 5, quietShare: 8 },
  })
  using other = new Database(path)
  let shortest = Number.POSITIVE_INFINITY
  // Each round is one turn of the event loop, so there is at least one between two looks.
  for (let round = 0; round < 20; round += 1) {
    await write(60)
    other.run('PRAGMA wal_checkpoint(PASSIVE)')
    await write(5)
    await Bun.sleep(1)
    shortest = Math.min(shortest, statSync(`${path}-wal`).size)
  }
  expect(shortest).toBeGreaterThan(60 * 4_120)
})

test('a command beside a server that copies the log starts no thread', async () => {
  await write(50)
  await until(() => stateOfLog().checkpointed >= 50)
  const startThread = () => {
    throw new Error('a thread was started')
  }
  const beside = withCheckpoints({ startThread })
  await beside.makeRoom()
  await insert(writer)
  await beside.committed()
  await beside.close()
  expect(told).toEqual([])
})

describe('if the thread', () => {
  test('falls behind, writes wait for it without being kept out, and the log begins again', async () => {
    const release = Promise.withResolvers<void>()
    const asked: string[] = []
    class SlowThread extends SqliteThread {
      override async all<Row>(statement: string): Promise<Row[]> {
        asked.push(statement)
        if (statement.includes('wal_checkpoint')) await release.promise
        return super.all(statement)
      }
    }
    const startThread = () => new SlowThread(0)
    checkpoints = withCheckpoints({ startThread, limits: { ...LIMITS, longestWaitMs: 1 } })
    await write(20)
    await until(() => asked.some((statement) => statement.includes('wal_checkpoint')))
    asked.length = 0
    expect(await write(70)).toBeGreaterThan(LIMITS.longestPages)
    expect(asked).toEqual([])
    release.resolve()
    await until(() => asked.length > 0)
    expect(asked[0]).toBe('PRAGMA wal_checkpoint(PASSIVE)')
    await write(50)
    expect(logLength()).toBeLessThan(LIMITS.longestPages)
  })

  test('cannot start, the writer copies in short steps, and the operator is told', async () => {
    checkpoints = withCheckpoints({
      startThread: () => {
        throw new Error('no memory left')
      },
    })
    expect(await write(500)).toBeLessThan(LIMITS.copiedPages + 20)
    expect(told).toEqual([
      `the thread that copies the log of ${path} into the file has failed (no memory left): the server copies it in its main thread, and pings have to wait; it tries again every 60 seconds`,
    ])
  })

  test('ends, it is started again', async () => {
    const threads: SqliteThread[] = []
    const startThread = () => {
      const thread = new SqliteThread(0)
      threads.push(thread)
      return thread
    }
    checkpoints = withCheckpoints({ startThread, limits: { ...LIMITS, lookEveryMs: 20 } })
    await write(50)
    await threads[0]?.close()
    for (; threads.length < 2; await Bun.sleep(1)) await write(1)
    expect(told[0]).toContain('the thread of a SQLite file has ended')
    expect(await write(300)).toBeLessThan(LIMITS.longestPages + 50)
  })

  test('finds the disk full, it copies nothing until all of the log fits', async () => {
    let copies = 0
    class FullThread extends SqliteThread {
      override async all<Row>(statement: string): Promise<Row[]> {
        if (!statement.includes('wal_checkpoint')) return super.all(statement)
        copies += 1
        if (copies === 1) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
        return super.all(statement)
      }
    }
    let free = 0
    let asked = 0
    const freeBytes = () => {
      asked += 1
      return free
    }
    checkpoints = withCheckpoints({
      startThread: () => new FullThread(0),
      freeBytes,
      limits: { ...LIMITS, lookEveryMs: 5 },
    })
    await write(60)
    free = 20 * 4_096
    await until(() => asked > 3)
    expect(copies).toBe(1)
    free = 1_000_000
    await until(() => statSync(`${path}-wal`).size === 0)
    expect(rowsWithoutLog()).toBe(60)
    expect(told).toEqual([])
  })

  test('meets an error of the disk, the watch of the file is told, and writes go on', async () => {
    const failures: unknown[] = []
    const failed = (error: unknown) => void failures.push(error)
    checkpoints = withCheckpoints({ file: { ...UNWATCHED, descriptor: 99_999, failed } })
    await write(50)
    await until(() => failures.length > 0)
    expect(failures[0]).toMatchObject({ code: 'SQLITE_IOERR_FSYNC' })
    expect(told).toEqual([])
    expect(await write(500)).toBeLessThan(LIMITS.longPages + 20)
  })
})

test.each([
  ['3.43.2', false],
  ['3.54.1', true],
])('with SQLite %s the thread is used: %p', (version, isUsed) => {
  const system = new Database(':memory:')
  const connection = Object.assign(system, { query: () => system.prepare(`SELECT '${version}' AS version`) })
  expect(canCopyInThread(connection)).toBe(isUsed)
})

test('a file that took the place of the open one stays as it is', async () => {
  const other = folder.file('other.db')
  const made = new Database(other)
  made.run('PRAGMA journal_mode = WAL')
  made.run('CREATE TABLE others (id)')
  made.close()
  const file = watchFile(path, path, writer.connection, { onFault: () => {}, stopwatch: () => 0 })
  checkpoints = withCheckpoints({ file })
  await write(5)
  const bytes = readFileSync(other)
  renameSync(path, `${path}.away`)
  renameSync(other, path)
  await write(50)
  await checkpoints.close()
  expect(readFileSync(path)).toEqual(bytes)
  renameSync(`${path}.away`, path)
  file.close()
})

test('the database of a server is copied while it runs, and its log is gone after a stop', async () => {
  const at = folder.file('server.db')
  const server = await openSqlite({ path: at })
  const bytes = () => statSync(at).size
  const before = bytes()
  await server.write((sql) => sql.run('CREATE TABLE bodies (body BLOB)', []))
  for (let written = 0; written < 6; written += 1) {
    await server.write((sql) => sql.run('INSERT INTO bodies VALUES ($1)', [new Uint8Array(1_000_000)]))
  }
  await until(() => bytes() > before + 4_000_000)
  await server.close()
  expect(existsSync(`${at}-wal`)).toBe(false)
})
