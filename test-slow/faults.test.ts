/** What the real program does while its database cannot be written: says so, loses nothing, and recovers by itself. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { type Served, serve } from '../test/support/served.ts'
import { type Folder, temporaryFolder } from '../test/support/sqlite.ts'
import { rejection } from '../test/support/store-builders.ts'
import { CAN_MOUNT, type Disk, NEEDS_MOUNT, run, smallDisk } from './support/disk.ts'
import { type Client, client, expectSound, TRY_AGAIN } from './support/load.ts'

const NEWER = 1_000

let folder: Folder
let path: string
let ends: (() => unknown)[]
beforeEach(() => {
  folder = temporaryFolder()
  path = folder.file('o.db')
  ends = []
})
afterEach(async () => {
  for (const end of ends.toReversed()) await end()
  folder.remove()
})

async function server(file = path): Promise<Served & { stopped(): Promise<void> }> {
  const served = await serve({ DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'error' })
  let stopping: Promise<void> | null = null
  const stopped = () => {
    stopping ??= served.stop()
    return stopping
  }
  ends.push(stopped)
  return { ...served, stopped }
}

async function serverWithClient(file = path): Promise<{ served: Awaited<ReturnType<typeof server>>; c: Client }> {
  const served = await server(file)
  return { served, c: await client(`sqlite:${file}`, served.baseUrl) }
}

/** What the program says when it does not start. */
async function failedStart(file = path): Promise<string> {
  return String(await rejection(serve({ DATABASE_URL: `sqlite:${file}` })))
}

function disk(size: string): Disk {
  const made = smallDisk(size)
  ends.push(() => made.remove())
  return made
}

/** Reads go on: single checks, lists, logs. */
async function expectReadable(c: Client, check: string): Promise<void> {
  for (const path of ['checks/', `checks/${check}`, `checks/${check}/pings/`, `checks/${check}/flips/`, 'status/']) {
    expect(`${path} ${(await c.api(path)).status}`).toBe(`${path} 200`)
  }
}

/** Status and text for those who ask whether the server can do its work. */
async function readiness({ baseUrl }: Served): Promise<string> {
  const answer = await fetch(`${baseUrl}/readyz`)
  return `${answer.status} ${await answer.text()}`
}

async function expectApiRefuses(c: Client): Promise<void> {
  const answer = await c.api('checks/', { name: 'not now' })
  expect([answer.status, await answer.json()]).toEqual([503, { error: TRY_AGAIN }])
}

describe('a read-only disk', () => {
  test.skipIf(!CAN_MOUNT)(`is told at the start, with the file and what to do (${NEEDS_MOUNT})`, async () => {
    const small = disk('8m')
    const file = small.file('o.db')
    await (await server(file)).stopped()
    small.makeReadOnly()
    for (const wanted of [file, small.file('new.db'), small.file('folder/new.db')]) {
      const told = await failedStart(wanted)
      expect(told).toContain('exit code 1')
      expect(told).toContain(`cannot use the database ${wanted}`)
      expect(told).toMatch(/→ .*writable for this user/)
      expect(told).not.toContain('at openSqlite')
    }
    small.makeWritable()
    const again = await server(file)
    expect((await fetch(`${again.baseUrl}/api/v3/status/`)).status).toBe(200)
  })
})

describe('a disk that fails under a running server', () => {
  const CAN_FREEZE = ((): boolean => {
    const probe = temporaryFolder()
    try {
      writeFileSync(probe.file('f'), '')
      run('chattr', '+i', probe.file('f'))
      run('chattr', '-i', probe.file('f'))
      return true
    } catch {
      return false
    } finally {
      probe.remove()
    }
  })()

  test.skipIf(!CAN_FREEZE)(
    'refuses pings, goes on reading, and takes pings again afterwards (skipped without chattr +i)',
    async () => {
      const { served, c } = await serverWithClient()
      const check = await c.createCheck()
      expect(await c.ping(check, 'before')).toBe('200 OK')
      run('chattr', '+i', `${path}-wal`)
      try {
        expect(await c.ping(check, 'meanwhile')).toBe(`503 ${TRY_AGAIN}`)
        await expectApiRefuses(c)
        await expectReadable(c, check)
        expect(await readiness(served)).toMatch(
          /^503 database: failed: .*\n(?:loop .*: ok\n)+outbox: ok\nlast outage: none known\n$/,
        )
        expect(served.logs()).toContain('request refused')
      } finally {
        run('chattr', '-i', `${path}-wal`)
      }
      expect(await c.ping(check, 'after')).toBe('200 OK')
      await served.stopped()
      expectSound(path, c.acknowledged)
    },
  )
})

describe('a full disk', () => {
  const BODY = 'x'.repeat(8_000)

  test.skipIf(!CAN_MOUNT)(
    `refuses pings until there is room again, and loses none that was OK (${NEEDS_MOUNT})`,
    async () => {
      const small = disk('2m')
      const file = small.file('o.db')
      writeFileSync(small.file('filler'), new Uint8Array(600_000))
      const { served, c } = await serverWithClient(file)
      const checks = [await c.createCheck(), await c.createCheck({ name: 'second' })]
      const [first = ''] = checks
      const fill = async (check: string) => {
        for (let sent = 0; sent < 500; sent += 1) {
          const answer = await c.ping(check, BODY)
          if (answer !== '200 OK') return answer
        }
        throw new Error('the disk does not get full')
      }
      expect(await Promise.all(checks.flatMap((check) => [fill(check), fill(check), fill(check)]))).toEqual(
        Array(6).fill(`503 ${TRY_AGAIN}`),
      )
      expect(c.acknowledged.get(first)?.length).toBeGreaterThan(5)
      // What is too big together may still fit alone.
      expect(await fill(first)).toBe(`503 ${TRY_AGAIN}`)
      await expectReadable(c, first)
      expect(served.logs()).toContain('the disk is full: free some space')

      rmSync(small.file('filler'))
      for (const check of checks)
        for (let sent = 0; sent < 5; sent += 1) expect(await c.ping(check, BODY)).toBe('200 OK')
      expect((await c.api('checks/', { name: 'room again' })).status).toBe(201)
      await served.stopped()
      expectSound(file, c.acknowledged)
    },
  )
})

describe('a database that another process keeps locked', () => {
  test('refuses pings after five seconds, goes on reading at once, and recovers when it is let go', async () => {
    const { served, c } = await serverWithClient()
    const check = await c.createCheck()
    const holder = new Database(path)
    ends.push(() => holder.close())
    holder.run('BEGIN IMMEDIATE')
    const began = performance.now()
    const waiting = Promise.all([c.ping(check), c.ping(check)])
    const ready = readiness(served)
    const readsBegan = performance.now()
    await expectReadable(c, check)
    expect(performance.now() - readsBegan).toBeLessThan(3_000)
    expect(await waiting).toEqual([`503 ${TRY_AGAIN}`, `503 ${TRY_AGAIN}`])
    expect(await ready).toStartWith('503 database: failed: another process keeps the database locked')
    expect(performance.now() - began).toBeGreaterThan(4_900)
    expect(performance.now() - began).toBeLessThan(20_000)
    expect(served.logs()).toContain('another process keeps the database locked')
    const late = c.ping(check)
    holder.run('COMMIT')
    expect(await late).toBe('200 OK')
    expect(await readiness(served)).toStartWith('200 database: ok\n')
    expect(await c.ping(check)).toBe('200 OK')
    await served.stopped()
    expectSound(path, c.acknowledged)
    expect(c.acknowledged.get(check)).toHaveLength(2)
  }, 60_000)

  test('for less than that makes pings wait and then takes them', async () => {
    const { c } = await serverWithClient()
    const check = await c.createCheck()
    using holder = new Database(path)
    holder.run('BEGIN IMMEDIATE')
    const waiting = c.ping(check)
    await Bun.sleep(500)
    holder.run('COMMIT')
    expect(await waiting).toBe('200 OK')
  })
})

describe('a database that a newer program has taken over', () => {
  const setVersion = (version: number) => {
    using beside = new Database(path)
    const before = beside.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
    beside.run(`PRAGMA user_version = ${version}`)
    return before
  }

  test('is refused at the start with both versions and a way out', async () => {
    await (await server()).stopped()
    const version = setVersion(NEWER)
    const told = await failedStart()
    expect(told).toContain('exit code 1')
    expect(told).toContain(`the database ${path} has version ${NEWER}, this program knows versions up to ${version}`)
    expect(told).toContain('→ start the newer program, or restore a backup made by this one')
    setVersion(version)
    await server()
  })

  test('while the server runs is read but not written, and written again when it is set back', async () => {
    const { served, c } = await serverWithClient()
    const check = await c.createCheck()
    expect(await c.ping(check)).toBe('200 OK')
    const version = setVersion(NEWER)
    expect(await c.ping(check)).toBe(`503 ${TRY_AGAIN}`)
    await expectApiRefuses(c)
    await expectReadable(c, check)
    const reason = `the database has version ${NEWER}, this program writes ${version}`
    expect(served.logs()).toContain(reason)
    expect(await readiness(served)).toStartWith(`503 database: failed: ${reason}`)
    setVersion(version)
    expect(await c.ping(check)).toBe('200 OK')
    await served.stopped()
    expectSound(path, c.acknowledged)
  })
})
