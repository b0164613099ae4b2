/** Backups of the real program under load, and servers started on restored databases. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Folder, folderOnDisk } from '../test/support/folder.ts'
import { FROM_SOURCE, overdue, runProgram, serve } from '../test/support/served.ts'
import { rejection } from '../test/support/store-builders.ts'
import { type Client, client, expectIntact } from './support/client.ts'
import { CAN_MOUNT, NEEDS_MOUNT, smallDisk } from './support/disk.ts'
import { eventually } from './support/eventually.ts'
import { firstHeartbeat } from './support/first-heartbeat.ts'
import { type StoppableServer, stoppable } from './support/fixture.ts'
import { restartableServer } from './support/restartable-server.ts'

const CONNECTIONS = 32
/** Number of large pings, enough that a copy takes a noticeable time. */
const LARGE_PINGS = 150
const LARGE_BODY = 'x'.repeat(1_000_000)
/** Limit below the thousand pings of a check that the log keeps. */
const MOST_PINGS_OF_A_CHECK = 900
const DAY = 86_400_000_000

let folder: Folder
let databaseUrl: string
let ends: (() => unknown)[]
beforeEach(() => {
  folder = folderOnDisk()
  databaseUrl = `sqlite:${folder.file('o.db')}`
  ends = []
})
afterEach(async () => {
  for (const end of ends.toReversed()) await end()
  folder.remove()
})

async function server(DATABASE_URL = databaseUrl, more = {}): Promise<StoppableServer> {
  const served = stoppable(
    await serve({ DATABASE_URL, PING_BODY_LIMIT: 'None', PING_LOG_BYTES: '1000000000000', LOG_LEVEL: 'info', ...more }),
  )
  ends.push(served.stopped)
  return served
}

/** A server with a database that takes a while to copy. */
async function largeServer(more = {}): Promise<{ served: Awaited<ReturnType<typeof server>>; c: Client }> {
  const served = await server(databaseUrl, more)
  const c = await client(databaseUrl, served.baseUrl)
  const check = await c.createCheck({ name: 'Large' })
  for (let sent = 0; sent < LARGE_PINGS; sent += 1) expect(await c.ping(check, LARGE_BODY)).toBe('200 OK')
  return { served, c }
}

interface Load {
  /** Resolves when every ping in progress has been answered. */
  stop(): Promise<void>
}

/** Pings from several connections. Each pings its own check, one ping after the other, so the order of the pings is known. */
function ping(c: Client, checks: readonly string[]): Load {
  let isOver = false
  const connections = checks.map(async (check) => {
    for (let sent = 0; !isOver && sent < MOST_PINGS_OF_A_CHECK; sent += 1) {
      expect(await c.ping(check, 'output')).toBe('200 OK')
      await Bun.sleep(10)
    }
  })
  return {
    async stop() {
      isOver = true
      await Promise.all(connections)
    },
  }
}

function createChecks(c: Client): Promise<string[]> {
  return Promise.all(
    Array.from({ length: CONNECTIONS }, (_, n) => c.createCheck({ name: `Check ${n}`, slug: `check-${n}` })),
  )
}

/** Copies the acknowledged pings, so that later ones don't change the copy. */
const snapshot = (pings: Client['acknowledged']) => new Map([...pings].map(([check, agents]) => [check, [...agents]]))

/** Returns the user agents of the logged pings in a backup, oldest first. */
function loggedIn(file: string, check: string): string[] {
  using database = new Database(file, { readonly: true })
  const query = database.query<{ ua: string }, [string]>('SELECT ua FROM pings WHERE check_id = ? ORDER BY n')
  return query.all(check).map(({ ua }) => ua)
}

describe('a backup under load', () => {
  test('holds every ping that was answered before it began, and each later ping entirely or not at all, in order', async () => {
    const { c } = await largeServer()
    const checks = await createChecks(c)
    const load = ping(c, checks)
    await Bun.sleep(500)
    const before = snapshot(c.acknowledged)
    const file = folder.file('backup.db')
    // In a process of its own: the copy blocks its thread, and the pings come from this one.
    const backup = await runProgram(FROM_SOURCE, ['backup', file, '--json'], { DATABASE_URL: databaseUrl })
    const meanwhile = snapshot(c.acknowledged)
    await load.stop()

    const result = JSON.parse(backup.out)
    expect(result).toMatchObject({ bytes: statSync(file).size, checks: CONNECTIONS + 1 })
    expect(result.bytes).toBeGreaterThan(LARGE_PINGS * LARGE_BODY.length)
    expectIntact(file, before)
    let during = 0
    for (const check of checks) {
      const logged = loggedIn(file, check)
      expect(logged.length).toBeGreaterThanOrEqual(before.get(check)?.length ?? 0)
      expect(logged).toEqual((c.acknowledged.get(check) ?? []).slice(0, logged.length))
      during += (meanwhile.get(check)?.length ?? 0) - (before.get(check)?.length ?? 0)
    }
    // Pings were accepted while the backup was made.
    expect(during).toBeGreaterThan(CONNECTIONS)
  })

  test('can be restored elsewhere, and a server on it has the same keys, checks and logs', async () => {
    const served = await server()
    const c = await client(databaseUrl, served.baseUrl)
    const made = await overdue<{ api_key: string; ping_key: string }>(databaseUrl, 'project', 'create', 'Keys')
    const headers = { 'X-Api-Key': made.api_key }
    const request = { method: 'POST', headers, body: JSON.stringify({ name: 'Nightly', slug: 'nightly' }) }
    await fetch(`${served.baseUrl}/api/v3/checks/`, request)
    const load = ping(c, await createChecks(c))
    await Bun.sleep(300)
    const before = snapshot(c.acknowledged)
    await overdue(databaseUrl, 'backup', folder.file('backup.db'))
    await load.stop()
    await served.stopped()

    const elsewhere = `sqlite:${folder.file('elsewhere/o.db')}`
    await overdue(elsewhere, 'restore', folder.file('backup.db'))
    const restored = await server(elsewhere)
    const answer = await fetch(`${restored.baseUrl}/api/v3/checks/`, { headers })
    const { checks } = (await answer.json()) as { checks: { name: string; uuid: string }[] }
    expect(checks.map(({ name }) => name)).toEqual(['Nightly'])
    const pinged = await fetch(`${restored.baseUrl}/ping/${made.ping_key}/nightly`)
    expect(await pinged.text()).toBe('OK')
    for (const [check] of before) {
      expect(await (await fetch(`${restored.baseUrl}/ping/${check}`)).text()).toBe('OK')
    }
    await restored.stopped()
    expectIntact(folder.file('elsewhere/o.db'), before)
  })
})

describe('a server with scheduled backups', () => {
  const directory = () => folder.file('backups')
  const files = () => (existsSync(directory()) ? readdirSync(directory()) : [])
  const wholeBackups = () => files().filter((name) => name.endsWith('.db'))

  test('takes the first one when it starts and keeps answering', async () => {
    const { served, c } = await largeServer()
    const check = await c.createCheck()
    await served.stopped()
    const again = await server(databaseUrl, { BACKUP_DIRECTORY: directory() })
    let [pings, slowest] = [0, 0]
    while (!again.logs().includes('backup taken')) {
      const begun = performance.now()
      expect(await (await fetch(`${again.baseUrl}/ping/${check}`)).text()).toBe('OK')
      slowest = Math.max(slowest, performance.now() - begun)
      pings += 1
    }
    // A copy in the server's own thread would allow one ping before it and one after it.
    expect(pings).toBeGreaterThan(5)
    expect(slowest).toBeLessThan(20_000)
    const [name = ''] = wholeBackups()
    expectIntact(join(directory(), name), c.acknowledged)
    const ready = await (await fetch(`${again.baseUrl}/readyz`)).text()
    expect(ready).toContain(`, ${statSync(join(directory(), name)).size} bytes\n`)
  })

  test('stops during a backup when asked to, and removes the unfinished file', async () => {
    const { served } = await largeServer()
    await served.stopped()
    const again = await server(databaseUrl, { BACKUP_DIRECTORY: directory() })
    await eventually('a backup has begun', () => files().length > 0)
    await again.stopped()
    expect(files()).toEqual([])
    expect(again.logs()).not.toContain('backup failed')
  })

  test('leaves no incomplete backup under its final name when it is killed during one', async () => {
    const { served, c } = await largeServer()
    await served.stopped()
    const restartable = restartableServer(databaseUrl, { BACKUP_DIRECTORY: directory() })
    ends.push(() => restartable.stop())
    await restartable.start()
    await eventually('a backup has begun', () => files().length > 0)
    expect(wholeBackups()).toEqual([])
    await restartable.kill()
    // The process that makes the copy may still finish on its own.
    await Bun.sleep(3_000)
    for (const name of wholeBackups()) expectIntact(join(directory(), name), c.acknowledged)
    await restartable.start()
    await eventually('a backup is complete', () => wholeBackups().length > 0, 60_000)
    for (const name of wholeBackups()) expectIntact(join(directory(), name), c.acknowledged)
  })
})

describe('a disk without enough space', () => {
  test.skipIf(!CAN_MOUNT)(`is left unchanged, with an error that names the space needed (${NEEDS_MOUNT})`, async () => {
    await largeServer()
    const small = smallDisk('50m')
    ends.push(() => small.remove())
    const error = await rejection(overdue(databaseUrl, 'backup', small.file('backup.db')))
    expect(String(error)).toMatch(/has only 52\.\d MB left, but a copy needs up to \d{3}\.\d MB/)
    expect(String(error)).toContain('"code":"disk-full"')
    expect(readdirSync(dirname(small.file('backup.db')))).toEqual([])
  })
})

describe('a backup command that is killed', () => {
  test('leaves the previous backup unchanged, and the next one removes the unfinished file', async () => {
    const { served, c } = await largeServer()
    const file = folder.file('backup.db')
    await overdue(databaseUrl, 'backup', file)
    const before = new Bun.CryptoHasher('sha256').update(readFileSync(file)).digest('hex')
    const left = () => readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.unfinished-`))
    const child = Bun.spawn([process.execPath, join(import.meta.dir, '../src/main.ts'), 'backup', file, '--force'], {
      env: { PATH: process.env.PATH ?? '', DATABASE_URL: databaseUrl },
    })
    await eventually('part of it is written', () =>
      left().some((name) => statSync(folder.file(name)).size > 10_000_000),
    )
    child.kill('SIGKILL')
    await child.exited
    expect(child.signalCode).toBe('SIGKILL')
    expect(left()).not.toEqual([])
    expect(new Bun.CryptoHasher('sha256').update(readFileSync(file)).digest('hex')).toBe(before)

    const check = await c.createCheck()
    expect(await c.ping(check)).toBe('200 OK')
    await overdue(databaseUrl, 'backup', file, '--force')
    expect(left()).toEqual([])
    expectIntact(file, c.acknowledged)
    await served.stopped()
  })
})

describe('a backup that is days old', () => {
  test('causes no alerts for the days since it was taken', async () => {
    const first = await server()
    const c = await client(databaseUrl, first.baseUrl)
    const checks = await createChecks(c)
    for (const check of checks) expect(await c.ping(check)).toBe('200 OK')
    await firstHeartbeat(folder.file('o.db'))
    const file = folder.file('backup.db')
    await overdue(databaseUrl, 'backup', file)
    await first.stopped()
    const aged = new Database(file)
    aged.run(`UPDATE counters SET last_ping_at = last_ping_at - ${3 * DAY}`)
    aged.run(`UPDATE checks SET timeout_seconds = 60, grace_seconds = 3600, alert_after = last_ping_at + 3660000000
      FROM counters WHERE counters.counter_id = checks.counter_id`)
    aged.run(`UPDATE settings SET value = CAST(CAST(value AS INTEGER) - ${3 * DAY} AS TEXT) WHERE name = 'alive'`)
    aged.close()

    await overdue(databaseUrl, 'restore', file, '--force')
    const restored = await server()
    // Long enough for a few runs of the loop, each of which would otherwise mark them all as down.
    await Bun.sleep(2_500)
    await restored.stopped()
    expect(restored.logs()).toContain('no server was running')
    using database = new Database(folder.file('o.db'), { readonly: true })
    expect(database.query("SELECT count(*) FROM events WHERE new_status = 'down'").values()).toEqual([[0]])
    expect(database.query("SELECT count(*) FROM checks WHERE status = 'up'").values()).toEqual([[checks.length]])
  })
})
