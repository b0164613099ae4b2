/**
 * Files as they are left by `cp` of a database in use, by bad disks and by mistake: the program works on what is whole, or
 * refuses in words and leaves every file as it is. It never works on half of a database.
 */
import { Database } from 'bun:sqlite'
import { beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Dice } from '../support/dice.ts'
import { byEffort, isLong } from '../support/effort.ts'
import { expectSound } from '../support/load.ts'
import { readiness, scene } from '../support/scene.ts'

const PAGE = 4_096
const CHECKS = 20

const s = scene()

/** What lies on the disk at one moment. */
interface Files {
  readonly main: Buffer
  readonly wal: Buffer
}

interface Torn {
  /** before a checkpoint: most is in the log */
  readonly before: Files
  /** after it, and after more pings */
  readonly after: Files
  /** of a server that was stopped */
  readonly whole: Buffer
}

const NOTHING = Buffer.alloc(0)
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))

async function makeTorn(): Promise<Torn> {
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
    expect(beside.query('PRAGMA wal_checkpoint(TRUNCATE)').values()).toEqual([[0, 0, 0]])
  }
  await ping(5)
  const after = files()
  await served.stopped()
  return { before, after, whole: readFileSync(s.path) }
}

/** Puts the files in the place of those that are there. */
function lay({ main, wal }: Partial<Files>): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${s.path}${suffix}`, { force: true })
  if (main) writeFileSync(s.path, main)
  if (wal) writeFileSync(`${s.path}-wal`, wal)
}

function lying(): (Buffer | null)[] {
  return ['', '-wal'].map((suffix) => (existsSync(`${s.path}${suffix}`) ? readFileSync(`${s.path}${suffix}`) : null))
}

function spoilt(bytes: Buffer, from: number, length: number): Buffer {
  const copy = Buffer.from(bytes)
  for (let at = from; at < from + length; at += 1) copy[at] = (at * 7_919 + (at >> 8)) & 255
  return copy
}

/** A server takes a ping of every check that is in the file, and leaves it sound. @returns how many there are */
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
  if (checks.length > 0) expectSound(s.path, new Map(checks.map((check) => [check, []])))
  return checks.length
}

/** @returns what is said */
async function expectRefused(files: Partial<Files>): Promise<string> {
  const before = lying()
  const told = await s.failedStart()
  expect(told).toContain('exit code 1')
  expect(told).toContain(s.path)
  expect(told).toMatch(/\n→ \S/)
  expect(told).not.toContain('    at ')
  expect(told).not.toContain('please try again')
  const [main, wal] = lying()
  expect(main?.equals(before[0] ?? NOTHING) ?? before[0] === null).toBe(true)
  // An empty log is none.
  expect((wal ?? NOTHING).equals(files.wal ?? NOTHING)).toBe(true)
  return told
}

/** Either of the two ways out; there is no third. */
async function expectWholeOrRefused(files: Partial<Files>): Promise<'works' | 'refused'> {
  const probe = await s.server().catch(() => null)
  if (probe === null) {
    await expectRefused(files)
    return 'refused'
  }
  await probe.stopped()
  lay(files)
  await expectWorks()
  return 'works'
}

describe('a copy of a database in use', () => {
  let torn: Torn
  beforeEach(async () => {
    torn = await makeTorn()
  })

  test('without its log is what it was at the last checkpoint', async () => {
    lay({ main: torn.after.main })
    expect(await expectWorks()).toBe(CHECKS)
    lay({ main: torn.before.main })
    expect(await expectWorks()).toBe(0)
  })

  test('with half of its log, or one that is spoilt in the middle, is what it was at the last whole commit', async () => {
    const { main, wal } = torn.after
    for (const part of [wal.subarray(0, wal.length >> 1), spoilt(wal, wal.length >> 1, 100)]) {
      lay({ main, wal: part })
      expect(await expectWorks()).toBe(CHECKS)
    }
  })

  test('with a log whose head is spoilt, or that is older than the file, is what it was at the last checkpoint', async () => {
    for (const wal of [spoilt(torn.after.wal, 0, 32), torn.before.wal]) {
      lay({ main: torn.after.main, wal })
      expect(await expectWorks()).toBe(CHECKS)
    }
  })

  test('that is older than its log is refused, and both stay as they are', async () => {
    const files = { main: torn.before.main, wal: torn.after.wal }
    lay(files)
    const told = await expectRefused(files)
    expect(told).toContain(`the database ${s.path} is whole, but not together with its log ${s.path}-wal (`)
    expect(told).toContain(`mv ${s.path}-wal ${s.path}-wal.kept`)
    expect(told).toContain('restore a backup')
  })

  test('of which only the log is left, or of which the file is empty, is refused and the log kept', async () => {
    const { wal } = torn.before
    lay({ wal })
    expect(await expectRefused({ wal })).toContain(`the database ${s.path} is not there, but its log ${s.path}-wal is`)
    expect(existsSync(s.path)).toBe(false)
    lay({ main: NOTHING, wal })
    expect(await expectRefused({ main: NOTHING, wal })).toContain('is empty, but its log')
  })
})

describe('a file', () => {
  let torn: Torn
  beforeEach(async () => {
    torn = await makeTorn()
  })

  const pages = (from: number, count: number) => spoilt(torn.whole, from * PAGE, count * PAGE)
  const cut = (bytes: number) => torn.whole.subarray(0, torn.whole.length - bytes)

  test.each<[string, () => Buffer]>([
    ['garbage in the middle', () => pages(Math.floor(torn.whole.length / PAGE / 2), 10)],
    ['garbage at its beginning', () => pages(1, 4)],
    ['a spoilt first page', () => spoilt(torn.whole, 100, PAGE - 100)],
    ['its second half cut off', () => torn.whole.subarray(0, Math.floor(torn.whole.length / PAGE / 2) * PAGE)],
    ['its last page cut off', () => cut(PAGE)],
    ['the end of its last page cut off', () => cut(1_000)],
  ])('with %s is refused, and stays as it is', async (_, make) => {
    const main = make()
    lay({ main })
    const told = await expectRefused({ main })
    expect(told).toMatch(/is damaged: |database disk image is malformed/)
    expect(told).toContain('→ restore a backup')
  })

  test.each<[string, () => Buffer]>([
    ['text', () => Buffer.from('Dear diary, today I was taken for a database. '.repeat(200))],
    ['zeros', () => Buffer.alloc(torn.whole.length)],
  ])('of %s is refused as no database, and stays as it is', async (_, make) => {
    const main = make()
    lay({ main })
    expect(await expectRefused({ main })).toContain(
      '→ the file is not a database: see that DATABASE_URL names the right',
    )
  })

  test('that is empty and has no log is a database that was not made yet', async () => {
    lay({ main: NOTHING })
    expect(await expectWorks()).toBe(0)
  })

  test(
    `spoilt or cut anywhere is worked on whole or refused (seed ${SEED})`,
    async () => {
      const dice = new Dice(SEED)
      const outcomes = { works: 0, refused: 0 }
      for (let wound = 0; wound < byEffort(6, 300); wound += 1) {
        const at = dice.upTo(torn.whole.length - 1)
        const main = dice.upTo(2) === 0 ? torn.whole.subarray(0, at) : spoilt(torn.whole, at, dice.upTo(2 * PAGE) + 64)
        const files = { main: main.subarray(0, torn.whole.length) }
        lay(files)
        outcomes[await expectWholeOrRefused(files)] += 1
      }
      expect(outcomes.refused).toBeGreaterThan(outcomes.works)
      if (isLong) process.stdout.write(`${JSON.stringify(outcomes)}\n`)
    },
    byEffort(120_000, 1_800_000),
  )
})
