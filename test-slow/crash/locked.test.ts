/** A database that somebody else holds: another process its lock, or a newer program the file. */
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { expectSound, TRY_AGAIN } from '../support/load.ts'
import { expectApiRefuses, expectReadable, readiness, scene } from '../support/scene.ts'

const NEWER = 1_000

const s = scene()

describe('a database that another process keeps locked', () => {
  test('refuses pings after five seconds, goes on reading at once, and recovers when it is let go', async () => {
    const { served, c } = await s.serverWithClient()
    const check = await c.createCheck()
    const holder = new Database(s.path)
    s.atEnd(() => holder.close())
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
    expectSound(s.path, c.acknowledged)
    expect(c.acknowledged.get(check)).toHaveLength(2)
  }, 60_000)

  test('for less than that makes pings wait and then takes them', async () => {
    const { c } = await s.serverWithClient()
    const check = await c.createCheck()
    using holder = new Database(s.path)
    holder.run('BEGIN IMMEDIATE')
    const waiting = c.ping(check)
    await Bun.sleep(500)
    holder.run('COMMIT')
    expect(await waiting).toBe('200 OK')
  })
})

describe('a database that a newer program has taken over', () => {
  const setVersion = (version: number) => {
    using beside = new Database(s.path)
    const before = beside.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
    beside.run(`PRAGMA user_version = ${version}`)
    return before
  }

  test('is refused at the start with both versions and a way out', async () => {
    await (await s.server()).stopped()
    const version = setVersion(NEWER)
    const told = await s.failedStart()
    expect(told).toContain('exit code 1')
    expect(told).toContain(`the database ${s.path} has version ${NEWER}, this program knows versions up to ${version}`)
    expect(told).toContain('→ start the newer program, or restore a backup made by this one')
    setVersion(version)
    await s.server()
  })

  test('while the server runs is read but not written, and written again when it is set back', async () => {
    const { served, c } = await s.serverWithClient()
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
    expectSound(s.path, c.acknowledged)
  })
})
