/** A full disk: pings get a 503, no acknowledged ping is lost, and the server recovers once there is space. */
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { rejection } from '../../test/support/store-builders.ts'
import { testApp } from '../../test/support/test-app.ts'
import { type Client, expectIntact, TRY_AGAIN } from '../support/client.ts'
import { CAN_MOUNT, type Disk, NEEDS_MOUNT } from '../support/disk.ts'
import { byEffort } from '../support/effort.ts'
import { expectReadable, fixture, readiness } from '../support/fixture.ts'

const BODY = 'x'.repeat(8_000)
const MORE_THAN_FITS = 500
const OUT_OF_SPACE = 'the disk is full: free some space'

const s = fixture()

/** Pings until the disk is full. @returns the answer to the first refused ping */
async function fill(c: Client, check: string): Promise<string> {
  for (let sent = 0; sent < MORE_THAN_FITS; sent += 1) {
    const answer = await c.ping(check, BODY)
    if (answer !== '200 OK') return answer
  }
  throw new Error('the disk did not fill up')
}

describe.skipIf(!CAN_MOUNT)(`a full disk (${NEEDS_MOUNT})`, () => {
  // On the larger disk the thread that copies the log has begun when the space ends.
  test.each(['2m', '7m'])(
    'of %s refuses pings until there is space again, and loses no acknowledged ping',
    async (size) => {
      const small = s.disk(size)
      for (let round = 0; round < byEffort({ short: 1, long: 20 }); round += 1) {
        const file = small.file(`${round}.db`)
        writeFileSync(small.file('filler'), new Uint8Array(600_000))
        const { served, c } = await s.serverWithClient(file)
        const checks = [await c.createCheck(), await c.createCheck({ name: 'second' })]
        const [first = ''] = checks
        expect(await Promise.all(checks.flatMap((check) => [fill(c, check), fill(c, check), fill(c, check)]))).toEqual(
          Array(6).fill(`503 ${TRY_AGAIN}`),
        )
        expect(c.acknowledged.get(first)?.length).toBeGreaterThan(5)
        // A single ping may fit where a batch did not.
        expect(await fill(c, first)).toBe(`503 ${TRY_AGAIN}`)
        await expectReadable(c, first)
        expect(served.logs()).toContain(OUT_OF_SPACE)

        rmSync(small.file('filler'))
        for (const check of checks)
          for (let sent = 0; sent < 5; sent += 1) expect(await c.ping(check, BODY)).toBe('200 OK')
        expect((await c.api('checks/', { name: 'space again' })).status).toBe(201)
        await served.stopped()
        expectIntact(file, c.acknowledged)
        // The write-ahead log remains when even the last checkpoint had no space.
        for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
      }
    },
  )

  test('during a checkpoint leaves the write-ahead log intact, and a later checkpoint succeeds', async () => {
    const small = s.disk('6m')
    const file = small.file('o.db')
    const { served, c } = await s.serverWithClient(file)
    const check = await c.createCheck()
    // Fills the write-ahead log. A checkpoint then needs the same space again in the main file, which is not available.
    while ((await c.ping(check, BODY)) === '200 OK' && (c.acknowledged.get(check)?.length ?? 0) < 150) {}
    const before = c.acknowledged.get(check)?.length ?? 0
    expect(before).toBeGreaterThan(100)
    const fillers = fillRest(small)
    using beside = new Database(file)
    // The loops of the server may be reading.
    beside.run('PRAGMA busy_timeout = 5000')
    expect(() => beside.query('PRAGMA wal_checkpoint(FULL)').values()).toThrow('database or disk is full')
    await expectReadable(c, check)
    const logged = await c.json<{ n_pings: number }>(`checks/${check}`)
    expect(logged.n_pings).toBeGreaterThanOrEqual(before)

    for (const path of fillers) rmSync(path)
    beside.query('PRAGMA wal_checkpoint(FULL)').values()
    beside.close()
    expect(await c.ping(check, BODY)).toBe('200 OK')
    expect(await readiness(served)).toStartWith('200 database: ok\n')
    await served.stopped()
    expectIntact(file, c.acknowledged)
  })

  test('makes retention fail with a message, and retention shortens the logs once there is space', async () => {
    const small = s.disk('4m')
    writeFileSync(small.file('filler'), new Uint8Array(1_000_000))
    const t = await testApp({ env: { DATABASE_URL: `sqlite:${small.file('o.db')}`, PING_LOG_LIMIT: '10' } })
    s.atEnd(() => t.close())
    const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: {} })
    const ping = async () => (await t.call('POST', `/ping/${uuid}`, { body: BODY })).status
    while ((await ping()) === 200) {}
    const fillers = [small.file('filler'), ...fillRest(small)]
    using beside = new Database(small.file('o.db'), { readonly: true })
    const logged = () => beside.query<{ n: number }, []>('SELECT COUNT(*) AS n FROM pings').get()?.n ?? 0
    const kept = logged()
    expect(kept).toBeGreaterThan(100)
    const failure = await rejection(t.app.settle('retention'))
    expect(failure).toHaveProperty('reason', expect.stringContaining(OUT_OF_SPACE))
    expect(logged()).toBe(kept)
    for (const path of fillers) rmSync(path)
    await t.app.settle('retention')
    expect(logged()).toBeLessThanOrEqual(110)
    expect(await ping()).toBe(200)
    expect(beside.query('PRAGMA integrity_check').values()).toEqual([['ok']])
  })
})

/** Fills the disk to the last page. @returns the files that fill it */
function fillRest(disk: Disk): string[] {
  const paths: string[] = []
  for (const size of [1_048_576, 65_536, 4_096]) {
    try {
      for (;;) {
        const path = disk.file(`rest-${paths.length}`)
        paths.push(path)
        writeFileSync(path, new Uint8Array(size))
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }
  return paths
}
