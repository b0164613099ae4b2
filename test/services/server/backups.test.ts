/** Backups of the server: their times, the kept ones, and reports. The folder is a list in memory. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { backupName, type KeptBackup } from '../../../src/domain/backup.ts'
import { Refusal } from '../../../src/domain/errors.ts'
import { formatFamilies } from '../../../src/domain/metrics/exposition.ts'
import { personOf } from '../../../src/services/accounts/sign-in/sessions.ts'
import { Measurements } from '../../../src/services/common/ports/measurements.ts'
import { type BackupPlace, createBackups } from '../../../src/services/server/backups.ts'
import { createReadiness } from '../../../src/services/server/readiness.ts'
import { collectServerMetrics } from '../../../src/services/server/server-metrics.ts'
import { addAccount } from '../../support/browser.ts'
import { type HandClock, handClock } from '../../support/clock.ts'
import { rejection } from '../../support/store-builders.ts'
import { type LogLine, type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let clock: HandClock
let files: KeptBackup[]
let measurements: Measurements
let lines: LogLine[]
let take: BackupPlace['take']
beforeEach(async () => {
  clock = handClock('2026-03-04T12:00:00Z')
  t = await testApp({ clock })
  files = []
  measurements = new Measurements({ inFile: true })
  lines = []
  take = async (at, origin) => {
    const file = { name: backupName('5f0c71ab', at, origin), bytes: 1_000 }
    files.push(file)
    return file
  }
})
afterEach(() => t.close())

const place: BackupPlace = {
  directory: '/b',
  database: '/d/o.db',
  list: async () => [...files],
  bytesUnderWay: async () => null,
  nameOf: async (at, origin) => backupName('5f0c71ab', at, origin),
  take: (at, origin) => take(at, origin),
  open: (name) => new Blob([name]),
  remove: async (name) => {
    files = files.filter((file) => file.name !== name)
  },
  close: async () => {},
}

const figures = () => measurements.backups ?? { failures: Number.NaN }

/** Creates the backups of a server that was just started. */
function server({
  schedule = '0 3 * * *' as string | null,
  keep = 7,
  store = t.app.deps.store,
  instance = t.app.deps.instance,
  on = place,
} = {}) {
  const log = (level: string, message: string, details = {}) => void lines.push({ level, message, details })
  return createBackups({ ...t.app.deps, store, instance, log, stopwatch: () => 0 }, on, { schedule, keep }, figures())
}

function started(options: Parameters<typeof server>[0] = {}): () => Promise<string | null> {
  const backups = server(options)
  return async () => (await backups.runDue())?.toString() ?? null
}

/** Another instance on the same database. */
const OTHER = { id: 'other', name: 'other' }

const names = () => files.map(({ name }) => name)
const fails = async () => {
  throw new Error('the disk is full: free some space')
}

describe('a backup', () => {
  test('is taken at once if there is none, then on schedule', async () => {
    const look = started()
    expect(await look()).toBe('2026-03-05T03:00:00Z')
    expect(names()).toEqual(['overdue-5f0c71ab-20260304T120000Z.db'])
    clock.set('2026-03-05T02:59:59Z')
    expect(await look()).toBe('2026-03-05T03:00:00Z')
    expect(names()).toHaveLength(1)
    clock.set('2026-03-05T03:00:30Z')
    expect(await look()).toBe('2026-03-06T03:00:00Z')
    expect(names()).toEqual(['overdue-5f0c71ab-20260304T120000Z.db', 'overdue-5f0c71ab-20260305T030030Z.db'])
    expect(lines.map(({ level, message }) => `${level}: ${message}`)).toEqual(Array(2).fill('info: backup taken'))
  })

  test('is not taken again by a server that starts before the next is due', async () => {
    files = [{ name: 'overdue-5f0c71ab-20260304T030000Z.db', bytes: 5 }]
    expect(await started()()).toBe('2026-03-05T03:00:00Z')
    expect(names()).toEqual(['overdue-5f0c71ab-20260304T030000Z.db'])
  })

  test('that was missed while no server ran is taken at the start, once', async () => {
    files = [{ name: 'overdue-5f0c71ab-20260220T030000Z.db', bytes: 5 }]
    const look = started()
    expect(await look()).toBe('2026-03-05T03:00:00Z')
    expect(await look()).toBe('2026-03-05T03:00:00Z')
    expect(names()).toEqual(['overdue-5f0c71ab-20260220T030000Z.db', 'overdue-5f0c71ab-20260304T120000Z.db'])
  })

  test('from the future delays no other, and is neither counted nor removed', async () => {
    files = [{ name: 'overdue-5f0c71ab-20990101T000000Z.db', bytes: 5 }]
    const look = started({ keep: 1 })
    await look()
    clock.set('2026-03-05T03:00:30Z')
    await look()
    expect(names()).toEqual(['overdue-5f0c71ab-20990101T000000Z.db', 'overdue-5f0c71ab-20260305T030030Z.db'])
  })

  test('is not delayed when the clock is set back while the server runs', async () => {
    clock.set('2099-01-01T00:00:00Z')
    const look = started()
    expect(await look()).toBe('2099-01-01T03:00:00Z')
    clock.set('2026-03-04T12:00:00Z')
    expect(await look()).toBe('2026-03-05T03:00:00Z')
    expect(await look()).toBe('2026-03-05T03:00:00Z')
    expect(names()).toEqual(['overdue-5f0c71ab-20990101T000000Z.db', 'overdue-5f0c71ab-20260304T120000Z.db'])
  })

  test('is taken once when two instances find at the same time that it is due', async () => {
    const one = server()
    let isFirstLook = true
    const list = async () => {
      const seen = [...files]
      if (isFirstLook) {
        isFirstLook = false
        await one.runDue()
        clock.advance({ seconds: 2 })
      }
      return seen
    }
    const other = started({ instance: OTHER, on: { ...place, list } })
    expect(await other()).toBe('2026-03-05T03:00:00Z')
    expect(names()).toEqual(['overdue-5f0c71ab-20260304T120000Z.db'])
    clock.set('2026-03-05T03:00:30Z')
    expect(await other()).toBe('2026-03-06T03:00:00Z')
    expect(names()).toHaveLength(2)
  })

  test('that is cancelled because the server stops is not a failure', async () => {
    take = async () => null
    expect(await started()()).toBeNull()
    expect(figures().failures).toBe(0)
    expect((await t.app.deps.store.server.findBackups()).newest).toBeNull()
    expect(lines).toEqual([])
  })
})

describe('of older backups', () => {
  test('as many are kept as are wanted, and nothing else in the folder is touched', async () => {
    const others = ['overdue.db', 'overdue-5f0c71ab-20200101T000000Z.db.gz', 'notes.txt']
    files = others.map((name) => ({ name, bytes: 1 }))
    const look = started({ schedule: '0 * * * *', keep: 3 })
    for (let hour = 0; hour < 6; hour += 1) {
      await look()
      clock.advance({ hours: 1 })
    }
    expect(names()).toEqual([
      ...others,
      'overdue-5f0c71ab-20260304T150000Z.db',
      'overdue-5f0c71ab-20260304T160000Z.db',
      'overdue-5f0c71ab-20260304T170000Z.db',
    ])
  })

  test('none is removed when the new one fails', async () => {
    files = ['overdue-5f0c71ab-20260301T030000Z.db', 'overdue-5f0c71ab-20260302T030000Z.db'].map((name) => ({
      name,
      bytes: 5,
    }))
    take = fails
    await started({ keep: 1 })()
    expect(names()).toEqual(['overdue-5f0c71ab-20260301T030000Z.db', 'overdue-5f0c71ab-20260302T030000Z.db'])
  })
})

describe('a failure', () => {
  test('is logged with the reason, counted, and tried again after a quarter of an hour', async () => {
    take = fails
    const look = started()
    expect(await look()).toBe('2026-03-04T12:15:00Z')
    expect(await look()).toBe('2026-03-04T12:15:00Z')
    expect(figures().failures).toBe(1)
    expect(lines).toEqual([
      {
        level: 'error',
        message: 'backup failed; older backups are kept',
        details: { reason: 'the disk is full: free some space', next_attempt: '2026-03-04T12:15:00+00:00' },
      },
    ])
    clock.advance({ minutes: 15 })
    await look()
    expect(figures().failures).toBe(2)
  })

  test('of a database that cannot be used is not even started, since another file may be there', async () => {
    const gone = async () => {
      throw new Refusal('unavailable', 'not now', { reason: 'the file was replaced' })
    }
    const { store } = t.app.deps
    await started({ store: { ...store, server: { ...store.server, probe: gone as () => Promise<void> } } })()
    expect(names()).toEqual([])
    expect(lines.map(({ level, details }) => [level, details.reason])).toEqual([['error', 'the file was replaced']])
  })

  test('to remove an old backup does not undo the new one', async () => {
    files = [{ name: 'overdue-5f0c71ab-20260301T030000Z.db', bytes: 5 }]
    await started({ keep: 1, on: { ...place, remove: fails } })()
    expect(lines.map(({ level }) => level)).toEqual(['info', 'warning'])
    expect(figures().failures).toBe(0)
    expect((await t.app.deps.store.server.findBackups()).newest).toMatchObject({ bytes: 1_000 })
  })
})

describe('monitoring', () => {
  async function watched() {
    const deps = { ...t.app.deps, measurements }
    const metrics = formatFamilies(await collectServerMetrics(deps)).split('\n')
    const line = (await createReadiness(deps)()).at(-1)
    return { metrics: metrics.filter((text) => text.startsWith('overdue_backup_')), line }
  }

  test('shows that there is no backup yet, and a failure', async () => {
    expect(await watched()).toEqual({
      metrics: ['overdue_backup_failures_total 0'],
      line: { part: 'last backup', problem: null, note: 'none' },
    })
    take = fails
    await started()()
    expect(await watched()).toEqual({
      metrics: ['overdue_backup_failures_total 1'],
      line: {
        part: 'last backup',
        problem: null,
        note: 'none; the attempt at 2026-03-04T12:00:00+00:00 failed',
      },
    })
  })

  test('shows time and size of the newest backup, also if an earlier server took it', async () => {
    files = [{ name: 'overdue-5f0c71ab-20260304T030000Z.db', bytes: 77 }]
    await started()()
    expect(await watched()).toEqual({
      metrics: [
        'overdue_backup_last_success_timestamp_seconds 1772593200',
        'overdue_backup_last_size_bytes 77',
        'overdue_backup_failures_total 0',
      ],
      line: { part: 'last backup', problem: null, note: 'at 2026-03-04T03:00:00+00:00, 77 bytes' },
    })
  })

  test('shows nothing about backups of a database that is no file', async () => {
    const metrics = formatFamilies(await collectServerMetrics(t.app.deps))
    expect(metrics).not.toContain('overdue_backup')
    expect((await createReadiness(t.app.deps)()).map(({ part }) => part)).not.toContain('last backup')
  })
})

describe('a backup by hand', () => {
  const admin = async () => personOf(await addAccount(t, { email: 'root@example.org', isAdministrator: true }), null)

  test('goes on after the call, is noted, and is in the audit log with who began it', async () => {
    const by = await admin()
    const backups = server({ schedule: null })
    expect(await backups.begin(by)).toBe(true)
    await backups.close()
    expect(names()).toEqual(['overdue-5f0c71ab-20260304T120000Z-by-hand.db'])
    const seen = await backups.look(by)
    const file = '/b/overdue-5f0c71ab-20260304T120000Z-by-hand.db'
    expect(seen.newest).toEqual({ at: clock.now(), bytes: 1_000, seconds: 0, file })
    expect(seen).toMatchObject({ isOld: false, failure: null, problem: null, underWay: null })
    expect(seen.kept.map(({ origin }) => origin)).toEqual(['hand'])
    const row = (await t.app.deps.store.audit.list(10)).find(({ subject }) => subject.kind === 'backup')
    expect(row).toMatchObject({ action: 'create', author: { name: by.email } })
  })

  test('is not begun while another one is under way, of this server or of another', async () => {
    const by = await admin()
    const { promise, resolve } = Promise.withResolvers<null>()
    take = () => promise
    const [one, other] = [server(), server({ schedule: null, instance: OTHER })]
    expect(await one.begin(by)).toBe(true)
    expect(await one.begin(by)).toBe(false)
    expect(await other.begin(by)).toBe(false)
    expect(await one.runDue()).toEqual(clock.now().add({ seconds: 60 }))
    expect((await one.look(by)).underWay).toMatchObject({ bytes: 0 })
    resolve(null)
    await one.close()
    expect(await other.begin(by)).toBe(true)
    await other.close()
  })

  test('that fails says why, leaves older ones, and keeps nobody from the next', async () => {
    const by = await admin()
    files = [{ name: 'overdue-5f0c71ab-20260301T030000Z.db', bytes: 5 }]
    const whole = take
    take = fails
    const backups = server()
    await backups.begin(by)
    await backups.close()
    expect((await backups.look(by)).failure).toEqual({ at: clock.now(), reason: 'the disk is full: free some space' })
    expect(names()).toHaveLength(1)
    take = whole
    clock.advance({ minutes: 1 })
    expect(await backups.begin(by)).toBe(true)
    await backups.close()
    expect(names()).toHaveLength(2)
  })

  test('pushes out none by schedule, and the reverse', async () => {
    const by = await admin()
    const backups = server({ schedule: '0 * * * *', keep: 2 })
    for (let hour = 0; hour < 4; hour += 1) {
      await backups.runDue()
      clock.advance({ minutes: 30 })
      await backups.begin(by)
      await backups.close()
      clock.advance({ minutes: 31 })
    }
    expect(names().map((name) => name.includes('by-hand'))).toEqual([false, true, false, true])
  })

  test('is given to whoever asks for its name, which the audit log says, and nothing else is', async () => {
    const by = await admin()
    const backups = server()
    await backups.runDue()
    const [name = ''] = names()
    expect(await (await backups.open(by, name)).text()).toBe(name)
    const row = (await t.app.deps.store.audit.list(10)).find(({ action }) => action === 'export')
    expect(row).toMatchObject({ author: { name: by.email }, subject: { kind: 'backup', name } })
    for (const wrong of ['../o.db', '', 'overdue-00000000-20260304T120000Z.db']) {
      expect(await rejection(backups.open(by, wrong))).toMatchObject({ code: 'not-found' })
    }
  })

  test('is only for administrators', async () => {
    const by = { ...(await admin()), isAdministrator: false }
    const backups = server()
    for (const act of [backups.begin(by), backups.look(by), backups.open(by, 'x')]) {
      expect(await rejection(act)).toMatchObject({ code: 'forbidden' })
    }
    expect(names()).toEqual([])
  })
})
