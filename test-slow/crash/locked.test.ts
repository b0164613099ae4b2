/** A database that another process keeps locked, or that a newer version of the program has migrated. */
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { expectIntact, TRY_AGAIN } from '../support/client.ts'
import { expectApiRefuses, expectReadable, fixture, readiness } from '../support/fixture.ts'

const NEWER = 1_000

const s = fixture()

describe('a database that another process keeps locked', () => {
  test('makes pings fail after five seconds, reads go on without delay, and pings succeed once it is unlocked', async () => {
    const { served, c } = await s.serverWithClient()
    const check = await c.createCheck()
    const holder = new Database(s.path)
    s.atEnd(() => holder.close())
    // The server may be writing.
    holder.run('PRAGMA busy_timeout = 5000')
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
    expectIntact(s.path, c.acknowledged)
    expect(c.acknowledged.get(check)).toHaveLength(2)
  }, 60_000)

  test('for less than five seconds delays pings, which then succeed', async () => {
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

describe('a database that a newer version has migrated', () => {
  const setVersion = (version: number) => {
    using beside = new Database(s.path)
    const before = beside.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
    beside.run(`PRAGMA user_version = ${version}`)
    return before
  }

  test('is refused at the start with both versions and a hint', async () => {
    await (await s.server()).stopped()
    const version = setVersion(NEWER)
    const message = await s.failedStart()
    expect(message).toContain('exit code 1')
    expect(message).toContain(
      `the database ${s.path} has version ${NEWER}, but this program supports only versions up to ${version}`,
    )
    expect(message).toContain('→ use the newer version of Overdue, or a backup that this version created')
    setVersion(version)
    await s.server()
  })

  test('is read but not written by a running server until its version is set back', async () => {
    const { served, c } = await s.serverWithClient()
    const check = await c.createCheck()
    expect(await c.ping(check)).toBe('200 OK')
    const version = setVersion(NEWER)
    expect(await c.ping(check)).toBe(`503 ${TRY_AGAIN}`)
    await expectApiRefuses(c)
    await expectReadable(c, check)
    const reason = `the database has version ${NEWER}, but this program writes ${version}`
    expect(served.logs()).toContain(reason)
    expect(await readiness(served)).toStartWith(`503 database: failed: ${reason}`)
    setVersion(version)
    expect(await c.ping(check)).toBe('200 OK')
    await served.stopped()
    expectIntact(s.path, c.acknowledged)
  })
})
