/** When the server takes a backup, which ones it keeps, and what it reports. The folder is a list in memory. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { fileStamp, type KeptBackup } from '../../../src/domain/backup.ts'
import { Refusal } from '../../../src/domain/errors.ts'
import { formatFamilies } from '../../../src/domain/metrics/exposition.ts'
import type { Deps } from '../../../src/services/common/deps.ts'
import { BackupFigures, Measurements } from '../../../src/services/common/ports/measurements.ts'
import { type BackupPlace, createBackups } from '../../../src/services/server/backups.ts'
import { createReadiness } from '../../../src/services/server/readiness.ts'
import { collectServerMetrics } from '../../../src/services/server/server-metrics.ts'
import { type HandClock, handClock } from '../../support/clock.ts'
import { type LogLine, testApp } from '../../support/test-app.ts'

let clock: HandClock
let files: KeptBackup[]
let figures: BackupFigures
let lines: LogLine[]
let take: BackupPlace['take']
beforeEach(() => {
  clock = handClock('2026-03-04T12:00:00Z')
  files = []
  figures = new BackupFigures()
  lines = []
  take = async (at) => {
    const file = { name: `overdue-5f0c71ab-${fileStamp(at)}.db`, bytes: 1_000 }
    files.push(file)
    return file
  }
})

const place: BackupPlace = {
  list: async () => [...files],
  take: (at) => take(at),
  remove: async (name) => {
    files = files.filter((file) => file.name !== name)
  },
}

/** Like a server that was just started. */
function started({ schedule = '0 3 * * *', keep = 7, store = USABLE } = {}): () => Promise<string | null> {
  const log = (level: string, message: string, details = {}) => void lines.push({ level, message, details })
  const look = createBackups({ store, now: clock.now, log, stopwatch: () => 0 }, place, { schedule, keep }, figures)
  return async () => (await look())?.toString() ?? null
}

const USABLE = { server: { probe: async () => {} } } as Deps['store']

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

  test('that is cancelled because the server stops is not a failure', async () => {
    take = async () => null
    expect(await started()()).toBeNull()
    expect(figures).toMatchObject({ failures: 0, newest: null })
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
    expect(figures.failures).toBe(1)
    expect(lines).toEqual([
      {
        level: 'error',
        message: 'backup failed; older backups are kept',
        details: { reason: 'the disk is full: free some space', next_attempt: '2026-03-04T12:15:00+00:00' },
      },
    ])
    clock.advance({ minutes: 15 })
    await look()
    expect(figures.failures).toBe(2)
  })

  test('of a database that cannot be used is not even started, since another file may be there', async () => {
    const gone = async () => {
      throw new Refusal('unavailable', 'not now', { reason: 'the file was replaced' })
    }
    await started({ store: { server: { probe: gone as () => Promise<void> } } as Deps['store'] })()
    expect(names()).toEqual([])
    expect(lines.map(({ level, details }) => [level, details.reason])).toEqual([['error', 'the file was replaced']])
  })

  test('to remove an old backup does not undo the new one', async () => {
    files = [{ name: 'overdue-5f0c71ab-20260301T030000Z.db', bytes: 5 }]
    const stubborn = { ...place, remove: fails }
    const log = (level: string, message: string, details = {}) => void lines.push({ level, message, details })
    const plan = { schedule: '0 3 * * *', keep: 1 }
    await createBackups({ store: USABLE, now: clock.now, log, stopwatch: () => 0 }, stubborn, plan, figures)()
    expect(lines.map(({ level }) => level)).toEqual(['info', 'warning'])
    expect(figures).toMatchObject({ failures: 0, newest: { bytes: 1_000 } })
  })
})

describe('monitoring', () => {
  async function watched() {
    const t = await testApp({ clock })
    const measurements = new Measurements(figures)
    const deps = { ...t.app.deps, measurements }
    const metrics = formatFamilies(await collectServerMetrics(deps)).split('\n')
    const line = (await createReadiness(deps)()).at(-1)
    await t.close()
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
        note: 'none; the attempt at 2026-03-04T12:00:00+00:00 failed, see the log',
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

  test('shows nothing about backups when none are scheduled', async () => {
    const t = await testApp()
    const metrics = formatFamilies(await collectServerMetrics(t.app.deps))
    expect(metrics).not.toContain('overdue_backup')
    expect((await createReadiness(t.app.deps)()).map(({ part }) => part)).not.toContain('last backup')
    await t.close()
  })
})
