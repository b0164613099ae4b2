/**
 * `kill -9` while the write-ahead log is copied into the file, under pings with long bodies, which fill the log in a second or two. `SEED`
 * repeats the moments.
 */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { closeSync, openSync, readSync } from 'node:fs'
import { folderOnDisk } from '../../test/support/folder.ts'
import { SeededRandom } from '../../test/support/seeded-random.ts'
import { client } from '../support/client.ts'
import { byEffort } from '../support/effort.ts'
import { integrityProblems } from '../support/kills/snapshot.ts'
import { restartableServer } from '../support/restartable-server.ts'
import { SEED } from '../support/seed.ts'

const KILLS = byEffort({ short: 4, full: 20, long: 200 })
const KILLS_PER_INTEGRITY_CHECK = 10
const LONGEST_ROUND_MS = 1_500
/** Longest wait of a kill for a copy, and of the last kill for a log that begins again. */
const LONGEST_WAIT_MS = 20_000
const CONNECTIONS = 64
/** Number of checks. Each log keeps a thousand pings, so all of one round are kept. */
const CHECKS = 50
const BODY = 'x'.repeat(10_000)

const folder = folderOnDisk()
const path = folder.file('o.db')
const server = restartableServer(`sqlite:${path}`)
const random = new SeededRandom(SEED)
const lost: string[] = []
const problems: string[] = []
/** salts in the header of the log, which change each time the log begins again */
const salts = new Set<string>()
let acknowledged = 0
let kills = 0
let killsInCopy = 0

beforeAll(
  async () => {
    await server.start()
    const c = await client(`sqlite:${path}`, server.baseUrl)
    const checks = await Promise.all(Array.from({ length: CHECKS }, () => c.createCheck()))
    while (kills < KILLS) {
      const agents = await pingUntilKilled(checks)
      await server.start()
      lost.push(...missing(agents))
      if (kills % KILLS_PER_INTEGRITY_CHECK === 0) problems.push(...integrityProblems(path))
    }
    await server.stop()
    problems.push(...integrityProblems(path))
    // biome-ignore lint/suspicious/noConsole: prints the measured figures
    console.info(
      `kills: ${kills}, ${killsInCopy} of them in a checkpoint; ${acknowledged} pings acknowledged; the log had ${salts.size} beginnings`,
    )
  },
  byEffort({ short: 120_000, long: 3_600_000 }),
)

afterAll(async () => {
  await server.stop()
  folder.remove()
})

test('every acknowledged ping is in the file', () => {
  expect(lost).toEqual([])
  expect(acknowledged).toBeGreaterThan(KILLS * 100)
})

test('the file passes the integrity check', () => {
  expect(problems).toEqual([])
})

test('the kills came while the log was copied, and while it began again', () => {
  expect(killsInCopy).toBeGreaterThanOrEqual(KILLS / 3)
  expect(salts.size).toBeGreaterThan(1)
})

/** @returns user agents of the acknowledged pings */
async function pingUntilKilled(checks: readonly string[]): Promise<ReadonlySet<string>> {
  const agents = new Set<string>()
  let isOver = false
  const ping = async () => {
    while (!isOver) {
      const agent = crypto.randomUUID()
      const url = `${server.baseUrl}/ping/${checks[random.integer(CHECKS - 1)]}`
      const answer = await fetch(url, { method: 'POST', headers: { 'User-Agent': agent }, body: BODY }).catch(
        () => null,
      )
      if ((await answer?.text().catch(() => '')) === 'OK') agents.add(agent)
    }
  }
  const pinging = Array.from({ length: CONNECTIONS }, ping)
  await momentToKill()
  isOver = true
  await server.kill()
  kills += 1
  if (isCopying()) killsInCopy += 1
  await Promise.all(pinging)
  acknowledged += agents.size
  return agents
}

/** Waits for any moment; for one in a copy if less than half of the kills so far hit one, so that enough do on a slow machine too. */
async function momentToKill(): Promise<void> {
  await Bun.sleep(random.integer(LONGEST_ROUND_MS))
  await until(() => hasBegunAgain() || kills < KILLS - 1)
  if (killsInCopy <= kills / 2) await until(isCopying)
}

async function until(isTrue: () => boolean): Promise<void> {
  for (const end = performance.now() + LONGEST_WAIT_MS; !isTrue() && performance.now() < end; ) await Bun.sleep(0)
}

function hasBegunAgain(): boolean {
  salts.add(readIndex().toString('hex', 32, 40))
  return salts.size > 1
}

/** Whether a copy is in progress. SQLite records the goal of a checkpoint at its start, the progress at its end (`walformat.html`). */
function isCopying(): boolean {
  const index = readIndex()
  return index.readUInt32LE(96) !== index.readUInt32LE(128)
}

/** Reads the index. No connection of this process has the file open, so closing the descriptor releases no lock. */
function readIndex(): Buffer {
  const file = openSync(`${path}-shm`, 'r')
  const bytes = Buffer.alloc(136)
  readSync(file, bytes, 0, bytes.length, 0)
  closeSync(file)
  return bytes
}

function missing(agents: ReadonlySet<string>): string[] {
  using database = new Database(path, { readonly: true })
  const rows = database.query<{ ua: string }, []>('SELECT ua FROM pings ORDER BY id DESC LIMIT 50000').all()
  const stored = new Set(rows.map(({ ua }) => ua))
  return [...agents].filter((agent) => !stored.has(agent))
}
