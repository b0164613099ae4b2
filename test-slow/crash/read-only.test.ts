/** A read-only file, folder or disk: the start fails with a message, and a running server refuses pings. */
import { describe, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { folderOnDisk } from '../../test/support/folder.ts'
import { expectIntact, TRY_AGAIN } from '../support/client.ts'
import { CAN_MOUNT, NEEDS_MOUNT, run } from '../support/disk.ts'
import { expectApiRefuses, expectReadable, fixture, readiness } from '../support/fixture.ts'

const s = fixture()

/** Whether a file can be made immutable, even for root. */
const CAN_FREEZE = ((): boolean => {
  const probe = folderOnDisk()
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
  test.skipIf(!CAN_MOUNT)(`makes the start fail with the file name and a hint (${NEEDS_MOUNT})`, async () => {
    const small = s.disk('8m')
    const file = small.file('o.db')
    await (await s.server(file)).stopped()
    small.makeReadOnly()
    for (const wanted of [file, small.file('new.db'), small.file('folder/new.db')]) {
      const message = await s.failedStart(wanted)
      expect(message).toContain('exit code 1')
      expect(message).toContain(`cannot use the database ${wanted}`)
      expect(message).toMatch(/→ .*this user/)
      expect(message).not.toContain('at openSqlite')
    }
    small.makeWritable()
    const again = await s.server(file)
    expect((await fetch(`${again.baseUrl}/api/v3/status/`)).status).toBe(200)
  })
})

describe.skipIf(!CAN_FREEZE)(`a read-only file (${NEEDS_FREEZE})`, () => {
  const freeze = (path: string) => {
    run('chattr', '+i', path)
    s.atEnd(() => existsSync(path) && thaw(path))
  }
  const thaw = (path: string) => run('chattr', '-i', path)

  test('makes the start fail, whether it is the database or its folder', async () => {
    await (await s.server()).stopped()
    for (const frozen of [s.folder.path, s.path]) {
      freeze(frozen)
      const message = await s.failedStart()
      expect(message).toContain('exit code 1')
      expect(message).toContain(`cannot use the database ${s.path}`)
      expect(message).toMatch(/→ .*this user/)
      thaw(frozen)
    }
    await s.server()
  })

  test('makes a running server refuse pings but not reads, and pings succeed once it is writable', async () => {
    const { served, c } = await s.serverWithClient()
    const check = await c.createCheck()
    expect(await c.ping(check, 'before')).toBe('200 OK')
    freeze(`${s.path}-wal`)
    expect(await c.ping(check, 'meanwhile')).toBe(`503 ${TRY_AGAIN}`)
    await expectApiRefuses(c)
    await expectReadable(c, check)
    expect(await readiness(served)).toMatch(
      /^503 database: failed: .*\n(?:loop .*: ok\n)+outbox: ok\n(?:.*\n)*last outage: none known\nlast backup: none\n$/,
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
    expectIntact(s.path, c.acknowledged)
  })
})
