/**
 * `overdue import … --apply` is killed at random moments, again and again, beside a server that receives pings. After each kill a project
 * exists completely or not at all, and the last import completes the work of the others.
 */
import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { emptyDatabase } from '../../test/support/copy-sides.ts'
import type { Engine } from '../../test/support/databases.ts'
import { environment } from '../../test/support/environment.ts'
import { folderOnDisk } from '../../test/support/folder.ts'
import { changedFixture, SECRET } from '../../test/support/healthchecks/fixture.ts'
import { rowsIn } from '../../test/support/rows.ts'
import { SeededRandom } from '../../test/support/seeded-random.ts'
import { FROM_SOURCE, type Served, serve } from '../../test/support/served.ts'
import { byEffort } from '../support/effort.ts'
import { SEED } from '../support/seed.ts'

/** Least number of kills. More follow until one was in the middle of the staging. */
const KILLS = byEffort({ short: 1, full: 6, long: 200 })
/** Range of kills, as shares of the time of a whole import: at first the program only starts. */
const PARTS = [0.3, 1.1] as const
const PING_EVERY_MS = 20

const folder = folderOnDisk()
/** Additional pings of each check, so that staging takes a while. */
const MORE_PINGS = byEffort({ short: 200, full: 800 })
const source = changedFixture(
  folder,
  'UPDATE accounts_profile SET ping_log_limit = 1000',
  `WITH RECURSIVE numbers (v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM numbers WHERE v < ${MORE_PINGS})
   INSERT INTO api_ping (n, owner_id, created, scheme, method, ua, body_raw)
   SELECT n_pings + v, id, '2026-11-20 09:00:00', 'http', 'POST', 'curl', x'626f6479' FROM api_check, numbers`,
  `UPDATE api_check SET n_pings = n_pings + ${MORE_PINGS}`,
  // The server removes old flips with their alerts, so all are of yesterday.
  'DELETE FROM api_notification',
  'DELETE FROM api_flip',
  `INSERT INTO api_flip (owner_id, created, processed, old_status, new_status, reason)
   SELECT id, datetime('now', '-1 day'), datetime('now', '-1 day'), 'up', 'down', 'fail' FROM api_check`,
  `INSERT INTO api_notification (code, owner_id, check_status, channel_id, created, error)
   SELECT lower(hex(randomblob(16))), check_id, 'down', channel_id, datetime('now', '-1 day', '+1 second'), ''
   FROM api_channel_checks`,
)
chmodSync(source, 0o600)
writeFileSync(folder.file('secret'), SECRET, { mode: 0o600 })
const random = new SeededRandom(SEED)
afterAll(() => folder.remove())

/** Numbers of rows of a project, in the order of the project's ids. */
interface Whole {
  readonly id: string
  readonly checks: number
  readonly channels: number
  readonly keys: number
  readonly members: number
  readonly assignments: number
  readonly pings: number
  readonly flips: number
}

const OF_CHECKS = 'IN (SELECT id FROM checks WHERE project_id = projects.id)'
const WHOLE = `
  SELECT id, (SELECT count(*) FROM checks WHERE project_id = projects.id) AS checks,
    (SELECT count(*) FROM channels WHERE project_id = projects.id) AS channels,
    (SELECT count(*) FROM keys WHERE project_id = projects.id) AS keys,
    (SELECT count(*) FROM members WHERE project_id = projects.id) AS members,
    (SELECT count(*) FROM check_channels WHERE check_id ${OF_CHECKS}) AS assignments,
    (SELECT count(*) FROM pings WHERE check_id ${OF_CHECKS}) AS pings,
    (SELECT count(*) FROM events WHERE check_id ${OF_CHECKS}) AS flips
  FROM projects WHERE name <> 'Beside' AND staged_at IS NULL ORDER BY id`
const LOGS = 'SELECT check_id, n, received_at, kind, body FROM pings WHERE check_id <> $1 ORDER BY check_id, n'
const COUNT_ALERTS = 'SELECT count(*) AS count FROM deliveries'
const COUNT_STAGED =
  'SELECT (SELECT count(*) FROM staged_logs) + (SELECT count(*) FROM projects WHERE staged_at IS NOT NULL) AS count'
const COUNT_PENDING = "SELECT count(*) AS count FROM deliveries WHERE state = 'pending'"

interface Beside {
  readonly served: Served
  readonly checkId: string
  /** statuses of its pings, in order */
  readonly statuses: number[]
  stop(): Promise<void>
}

/** Starts a server with a project of its own, which is pinged all the time. */
async function serveBeside(url: string): Promise<Beside> {
  const served = await serve({ DATABASE_URL: url })
  await served.overdue('project', 'create', 'Beside')
  await served.overdue('project', 'delete', 'Default', '--yes').catch(() => {})
  const { uuid } = await served.overdue<{ uuid: string }>('check', 'create', '--project', 'Beside', '--name', 'Beside')
  const statuses: number[] = []
  let goesOn = true
  const pinging = (async () => {
    while (goesOn) {
      statuses.push((await fetch(`${served.baseUrl}/ping/${uuid}`)).status)
      await Bun.sleep(PING_EVERY_MS)
    }
  })()
  const stop = async () => {
    goesOn = false
    await pinging
    await served.stop()
  }
  return { served, checkId: uuid, statuses, stop }
}

/** @param killAfterMs null: the import runs to its end. @returns the exit code; null if it was killed */
async function runImport(url: string, killAfterMs: number | null): Promise<number | null> {
  const words = ['import', 'healthchecks', '--database', source, '--secret-key-file', folder.file('secret'), '--apply']
  const child = Bun.spawn([...FROM_SOURCE.command, ...words, '--json'], {
    cwd: FROM_SOURCE.cwd,
    env: environment({ DATABASE_URL: url }),
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const timer = killAfterMs === null ? null : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  const err = await child.stderr.text()
  await child.exited
  if (timer !== null) clearTimeout(timer)
  if (child.signalCode === null && child.exitCode !== 0) throw new Error(`the import failed: ${err}`)
  return child.signalCode === null ? child.exitCode : null
}

interface Reference {
  readonly projects: readonly Whole[]
  readonly logs: unknown
  readonly alerts: number
  readonly ms: number
}

const comparable = (rows: readonly unknown[]) =>
  JSON.stringify(rows, (_, value) => (value instanceof Uint8Array ? value.toHex() : value))

async function readReference(url: string, checkId: string, ms: number): Promise<Reference> {
  return {
    projects: await rowsIn<Whole>(url, WHOLE),
    logs: comparable(await rowsIn(url, LOGS, [checkId])),
    alerts: await countIn(url, COUNT_ALERTS),
    ms,
  }
}

function momentIn(ms: number): number {
  const [from, to] = PARTS
  return ms * (from + random.fraction() * (to - from))
}

async function countIn(url: string, statement: string): Promise<number> {
  const [row] = await rowsIn<{ count: number }>(url, statement)
  return Number(row?.count)
}

const ENGINES: readonly Engine[] = ['sqlite', 'postgres']

describe.each(ENGINES)('an import into %s that is killed at random moments', (engine) => {
  const ends: (() => Promise<void>)[] = []
  const begin = async () => {
    const database = await emptyDatabase(engine)
    const beside = await serveBeside(database.url)
    ends.push(async () => {
      await beside.stop()
      await database.remove()
    })
    return { url: database.url, beside }
  }
  const end = async () => {
    for (const each of ends.splice(0)) await each()
  }
  afterAll(end)

  test(
    'leaves whole projects or none, which the last one completes, and no ping beside is lost',
    async () => {
      const first = await begin()
      const begun = performance.now()
      expect(await runImport(first.url, null)).toBe(0)
      const whole = await readReference(first.url, first.beside.checkId, performance.now() - begun)
      expect(whole.projects.map(({ checks }) => checks).reduce((sum, checks) => sum + checks)).toBe(120)
      await end()

      let [kills, between, staged] = [0, 0, 0]
      while (kills < KILLS || staged === 0) {
        const { url, beside } = await begin()
        let code: number | null = null
        while (code === null) {
          code = await runImport(url, momentIn(whole.ms))
          if (code !== null) break
          kills++
          const projects = await rowsIn<Whole>(url, WHOLE)
          for (const project of projects) expect(whole.projects).toContainEqual(project)
          if (projects.length > 0 && projects.length < whole.projects.length) between++
          if ((await countIn(url, COUNT_STAGED)) > 0) staged++
          if (kills >= KILLS && staged > 0) code = await runImport(url, null)
        }
        const { ms: _, ...completed } = await readReference(url, beside.checkId, 0)
        const { ms: __, ...expected } = whole
        expect(completed).toEqual(expected)
        expect([await countIn(url, COUNT_STAGED), await countIn(url, COUNT_PENDING)]).toEqual([0, 0])
        expect(beside.statuses.filter((status) => status !== 200)).toEqual([])
        expect(beside.statuses.length).toBeGreaterThan(0)
        await end()
      }
      process.stderr.write(
        `${engine}: ${kills} kills, ${staged} left something staged, ${between} left some of the projects\n`,
      )
    },
    byEffort({ short: 580_000, full: 1_200_000, long: 7_200_000 }),
  )
})
