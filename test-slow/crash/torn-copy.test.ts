/**
 * Database files as `cp` of a database in use, bad disks and mistakes leave them. The program either works on an intact
 * database, or refuses it with a message and leaves every file unchanged. It never works on part of a database.
 */
import { Database } from 'bun:sqlite'
import { beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { SeededRandom } from '../../test/support/seeded-random.ts'
import { expectIntact } from '../support/client.ts'
import { byEffort, isLong } from '../support/effort.ts'
import { fixture, readiness } from '../support/fixture.ts'
import { SEED } from '../support/seed.ts'

const PAGE = 4_096
const CHECKS = 20

const s = fixture()

/** The database files at one moment. */
interface Files {
  readonly main: Buffer
  readonly wal: Buffer
}

interface Copies {
  /** before a checkpoint: most of the data is in the write-ahead log */
  readonly before: Files
  /** after the checkpoint and more pings */
  readonly after: Files
  /** the main file after the server was stopped */
  readonly whole: Buffer
}

const EMPTY = Buffer.alloc(0)

async function makeCopies(): Promise<Copies> {
  const { served, c } = await s.serverWithClient()
  const checks = await Promise.all(Array.from({ length: CHECKS }, () => c.createCheck()))
  const ping = async (rounds: number) => {
    for (let round = 0; round < rounds; round += 1)
      await Promise.all(checks.map((check) => c.ping(check, 'x'.repeat(900))))
  }
  const files = (): Files => ({ main: readFileSync(s.path), wal: readFileSync(`${s.path}-wal`) })
  await ping(10)
  const before = files()
  {
    using beside = new Database(s.path)
    // The loops of the server may be reading.
    beside.run('PRAGMA busy_timeout = 5000')
    expect(beside.query('PRAGMA wal_checkpoint(TRUNCATE)').values()).toEqual([[0, 0, 0]])
  }
  await ping(5)
  const after = files()
  await served.stopped()
  return { before, after, whole: readFileSync(s.path) }
}

/** Replaces the database files on disk. */
function putFiles({ main, wal }: Partial<Files>): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${s.path}${suffix}`, { force: true })
  if (main) writeFileSync(s.path, main)
  if (wal) writeFileSync(`${s.path}-wal`, wal)
}

function filesOnDisk(): (Buffer | null)[] {
  return ['', '-wal'].map((suffix) => (existsSync(`${s.path}${suffix}`) ? readFileSync(`${s.path}${suffix}`) : null))
}

function corrupted(bytes: Buffer, from: number, length: number): Buffer {
  const copy = Buffer.from(bytes)
  for (let at = from; at < from + length; at += 1) copy[at] = (at * 7_919 + (at >> 8)) & 255
  return copy
}

/** Expects that a server accepts a ping to every check in the file and leaves the file intact. @returns the number of checks */
async function expectWorks(): Promise<number> {
  const again = await s.server()
  using beside = new Database(s.path, { readonly: true })
  const checks = beside
    .query<{ id: string }, []>('SELECT id FROM checks')
    .all()
    .map(({ id }) => id)
  beside.close()
  for (const check of checks) expect(await (await fetch(`${again.baseUrl}/ping/${check}`)).text()).toBe('OK')
  expect(await readiness(again)).toStartWith('200 database: ok\n')
  await again.stopped()
  expect(again.logs()).not.toContain('unexpected error')
  using after = new Database(s.path)
  expect(after.query('PRAGMA integrity_check').values()).toEqual([['ok']])
  if (checks.length > 0) expectIntact(s.path, new Map(checks.map((check) => [check, []])))
  return checks.length
}

/** Expects a refusal. @returns the error message */
async function expectRefused(files: Partial<Files>): Promise<string> {
  const before = filesOnDisk()
  const message = await s.failedStart()
  expect(message).toContain('exit code 1')
  expect(message).toContain(s.path)
  expect(message).toMatch(/\n→ \S/)
  expect(message).not.toContain('    at ')
  expect(message).not.toContain('please try again')
  const [main, wal] = filesOnDisk()
  expect(main?.equals(before[0] ?? EMPTY) ?? before[0] === null).toBe(true)
  // An empty write-ahead log counts as absent.
  expect((wal ?? EMPTY).equals(files.wal ?? EMPTY)).toBe(true)
  return message
}

/** Expects one of the only two accepted outcomes. */
async function expectWorksOrRefused(files: Partial<Files>): Promise<'works' | 'refused'> {
  const probe = await s.server().catch(() => null)
  if (probe === null) {
    await expectRefused(files)
    return 'refused'
  }
  await probe.stopped()
  putFiles(files)
  await expectWorks()
  return 'works'
}

describe('a copy of a database in use', () => {
  let copies: Copies
  beforeEach(async () => {
    copies = await makeCopies()
  })

  test('without its write-ahead log has the state of the last checkpoint', async () => {
    putFiles({ main: copies.after.main })
    expect(await expectWorks()).toBe(CHECKS)
    putFiles({ main: copies.before.main })
    expect(await expectWorks()).toBe(0)
  })

  test('with half of its log, or a log that is corrupt in the middle, has the state of the last complete commit', async () => {
    const { main, wal } = copies.after
    for (const part of [wal.subarray(0, wal.length >> 1), corrupted(wal, wal.length >> 1, 100)]) {
      putFiles({ main, wal: part })
      expect(await expectWorks()).toBe(CHECKS)
    }
  })

  test('with a log that has a corrupt header or is older than the file has the state of the last checkpoint', async () => {
    for (const wal of [corrupted(copies.after.wal, 0, 32), copies.before.wal]) {
      putFiles({ main: copies.after.main, wal })
      expect(await expectWorks()).toBe(CHECKS)
    }
  })

  test('that is older than its log is refused, and both files stay unchanged', async () => {
    const files = { main: copies.before.main, wal: copies.after.wal }
    putFiles(files)
    const message = await expectRefused(files)
    expect(message).toContain(
      `the database ${s.path} is intact by itself, but damaged if read with its log ${s.path}-wal (`,
    )
    expect(message).toContain(`mv ${s.path}-wal ${s.path}-wal.kept`)
    expect(message).toContain('restore a backup')
  })

  test('with a missing or empty main file is refused, and the log is kept', async () => {
    const { wal } = copies.before
    putFiles({ wal })
    expect(await expectRefused({ wal })).toContain(
      `the database ${s.path} is missing, but its log ${s.path}-wal still exists`,
    )
    expect(existsSync(s.path)).toBe(false)
    putFiles({ main: EMPTY, wal })
    expect(await expectRefused({ main: EMPTY, wal })).toContain('is empty, but its log')
  })
})

describe('a file', () => {
  let copies: Copies
  beforeEach(async () => {
    copies = await makeCopies()
  })

  const pages = (from: number, count: number) => corrupted(copies.whole, from * PAGE, count * PAGE)
  const cut = (bytes: number) => copies.whole.subarray(0, copies.whole.length - bytes)

  test.each<[string, () => Buffer]>([
    ['garbage in the middle', () => pages(Math.floor(copies.whole.length / PAGE / 2), 10)],
    ['garbage at its beginning', () => pages(1, 4)],
    ['a corrupt first page', () => corrupted(copies.whole, 100, PAGE - 100)],
    ['its second half cut off', () => copies.whole.subarray(0, Math.floor(copies.whole.length / PAGE / 2) * PAGE)],
    ['its last page cut off', () => cut(PAGE)],
    ['the end of its last page cut off', () => cut(1_000)],
  ])('with %s is refused and stays unchanged', async (_, make) => {
    const main = make()
    putFiles({ main })
    const message = await expectRefused({ main })
    expect(message).toMatch(/is damaged: |database disk image is malformed/)
    expect(message).toContain('→ restore a backup')
  })

  test.each<[string, () => Buffer]>([
    ['text', () => Buffer.from('Dear diary, today I was taken for a database. '.repeat(200))],
    ['zeros', () => Buffer.alloc(copies.whole.length)],
  ])('of %s is refused because it is not a database, and stays unchanged', async (_, make) => {
    const main = make()
    putFiles({ main })
    expect(await expectRefused({ main })).toContain(
      '→ the file is not a database: check that DATABASE_URL points to the right',
    )
  })

  test('that is empty and has no log becomes a new database', async () => {
    putFiles({ main: EMPTY })
    expect(await expectWorks()).toBe(0)
  })

  test(
    'with corruption or a cut at a random place works entirely or is refused',
    async () => {
      const random = new SeededRandom(SEED)
      const outcomes = { works: 0, refused: 0 }
      for (let round = 0; round < byEffort({ short: 6, long: 300 }); round += 1) {
        const at = random.integer(copies.whole.length - 1)
        const main =
          random.integer(2) === 0
            ? copies.whole.subarray(0, at)
            : corrupted(copies.whole, at, random.integer(2 * PAGE) + 64)
        const files = { main: main.subarray(0, copies.whole.length) }
        putFiles(files)
        outcomes[await expectWorksOrRefused(files)] += 1
      }
      expect(outcomes.refused).toBeGreaterThan(outcomes.works)
      if (isLong) process.stdout.write(`${JSON.stringify(outcomes)}\n`)
    },
    byEffort({ short: 120_000, long: 1_800_000 }),
  )
})
