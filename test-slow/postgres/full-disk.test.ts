/** The disk of PostgreSQL is full: pings get 503, no acknowledged ping is lost, and pings succeed once there is space. */

import { describe, test } from 'bun:test'
import { chownSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '../../src/lib/errors.ts'
import { accountInPlaceOfRoot } from '../../test/support/postgres/programs.ts'
import { CAN_MOUNT, type Disk, NEEDS_MOUNT } from '../support/disk.ts'
import { fixture } from '../support/fixture.ts'
import { startDatabase } from './support/database.ts'
import { underLoad } from './support/trial.ts'

/** Size of a new cluster, whose write-ahead log is kept small. */
const CLUSTER = '160m'
const SMALL_LOG = { min_wal_size: '32MB', max_wal_size: '32MB', shared_buffers: '8MB' }
const FULL_FOR_MS = 2_000

const s = fixture()

/** Fills the last page. @returns the file to remove */
function fill(disk: Disk): string {
  const path = disk.file('filler')
  const { bavail, bsize } = statfsSync(dirname(path))
  try {
    writeFileSync(path, new Uint8Array(bavail * bsize))
  } catch (error) {
    // PostgreSQL took a part of the space in the meantime.
    if (codeOf(error) !== 'ENOSPC') throw error
  }
  return path
}

describe.skipIf(!CAN_MOUNT)(`a full disk (${NEEDS_MOUNT})`, () => {
  test('of the tables refuses pings until there is space', async () => {
    const disk = s.disk('24m')
    const database = await startDatabase()
    s.atEnd(() => database.cluster.remove())
    const folder = disk.file('tables')
    mkdirSync(folder)
    const account = accountInPlaceOfRoot()
    if (account) chownSync(folder, account.uid, account.gid)
    await database.asSuperuser(`CREATE TABLESPACE small LOCATION '${folder}'`)
    await database.asSuperuser('ALTER DATABASE app SET TABLESPACE small')
    const t = await underLoad({ database, atEnd: s.atEnd })
    const filler = fill(disk)
    await t.untilRefused()
    await Bun.sleep(FULL_FOR_MS)
    await t.expectTold('disk of PostgreSQL is full')
    rmSync(filler)
    await t.expectRecovery('disk of the tables full')
  }, 90_000)

  test('of the write-ahead log, which ends PostgreSQL, refuses pings until it is started with space', async () => {
    const disk = s.disk(CLUSTER)
    const database = await startDatabase({ parent: dirname(disk.file('x')), settings: SMALL_LOG })
    s.atEnd(() => database.cluster.remove())
    const t = await underLoad({ database, atEnd: s.atEnd })
    const filler = fill(disk)
    // Begins a new file of the log, for which there is no space.
    await database.asSuperuser('SELECT pg_switch_wal()').catch(() => {})
    await t.untilRefused()
    await t.expectTold('PostgreSQL')
    await Bun.sleep(FULL_FOR_MS)
    rmSync(filler)
    await database.cluster.stop('immediate')
    await database.cluster.start()
    await t.expectRecovery('disk of the write-ahead log full')
  }, 90_000)
})
