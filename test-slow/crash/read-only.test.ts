/** A file, a folder or a disk that may not be written: told at the start; under a running server pings are refused. */
import { describe, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { temporaryFolder } from '../../test/support/sqlite.ts'
import { CAN_MOUNT, NEEDS_MOUNT, run } from '../support/disk.ts'
import { expectSound, TRY_AGAIN } from '../support/load.ts'
import { expectApiRefuses, expectReadable, readiness, scene } from '../support/scene.ts'

const s = scene()

/** What nobody may write, root neither. */
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
const NEEDS_FREEZE = 'skipped without chattr +i'

describe('a read-only disk', () => {
  test.skipIf(!CAN_MOUNT)(`is told at the start, with the file and what to do (${NEEDS_MOUNT})`, async () => {
    const small = s.disk('8m')
    const file = small.file('o.db')
    await (await s.server(file)).stopped()
    small.makeReadOnly()
    for (const wanted of [file, small.file('new.db'), small.file('folder/new.db')]) {
      const told = await s.failedStart(wanted)
      expect(told).toContain('exit code 1')
      expect(told).toContain(`cannot use the database ${wanted}`)
      expect(told).toMatch(/→ .*writable for this user/)
      expect(told).not.toContain('at openSqlite')
    }
    small.makeWritable()
    const again = await s.server(file)
    expect((await fetch(`${again.baseUrl}/api/v3/status/`)).status).toBe(200)
  })
})

describe.skipIf(!CAN_FREEZE)(`a file that is read-only (${NEEDS_FREEZE})`, () => {
  const freeze = (path: string) => {
    run('chattr', '+i', path)
    s.atEnd(() => existsSync(path) && thaw(path))
  }
  const thaw = (path: string) => run('chattr', '-i', path)

  test('is told at the start, be it the database or its folder', async () => {
    await (await s.server()).stopped()
    for (const frozen of [s.folder.path, s.path]) {
      freeze(frozen)
      const told = await s.failedStart()
      expect(told).toContain('exit code 1')
      expect(told).toContain(`cannot use the database ${s.path}`)
      expect(told).toMatch(/→ .*writable for this user/)
      thaw(frozen)
    }
    await s.server()
  })

  test('under a running server makes it refuse pings and go on reading, and pings are taken again afterwards', async () => {
    const { served, c } = await s.serverWithClient()
    const check = await c.createCheck()
    expect(await c.ping(check, 'before')).toBe('200 OK')
    freeze(`${s.path}-wal`)
    expect(await c.ping(check, 'meanwhile')).toBe(`503 ${TRY_AGAIN}`)
    await expectApiRefuses(c)
    await expectReadable(c, check)
    expect(await readiness(served)).toMatch(
      /^503 database: failed: .*\n(?:loop .*: ok\n)+outbox: ok\n(?:.*\n)*last outage: none known\n$/,
    )
    expect(
      served
        .logs()
        .split('\n')
        .filter((line) => line.includes('cannot be used')),
    ).toHaveLength(1)
    expect(served.logs()).not.toContain('request refused')
    thaw(`${s.path}-wal`)
    expect(await c.ping(check, 'after')).toBe('200 OK')
    await served.stopped()
    expectSound(s.path, c.acknowledged)
  })
})
