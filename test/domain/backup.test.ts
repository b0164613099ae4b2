import { expect, test } from 'bun:test'
import {
  backupDueAt,
  backupMark,
  backupName,
  backupOrigin,
  backupsUntil,
  backupTime,
  isBackupOld,
} from '../../src/domain/backup.ts'
import { Temporal } from '../../src/lib/time.ts'

const instant = (text: string) => Temporal.Instant.from(text)
const NOON = instant('2026-03-04T12:00:00Z')

test("a name has the database's mark and the second in which the backup began", () => {
  const name = 'overdue-5f0c71ab-20261121T030000Z.db'
  expect(backupName('5f0c71ab', instant('2026-11-21T03:00:00.999999Z'), 'schedule')).toBe(name)
  expect(backupTime(name)?.toString()).toBe('2026-11-21T03:00:00Z')
  expect(backupMark(name)).toBe('5f0c71ab')
  expect(backupOrigin(name)).toBe('schedule')
})

test('a name tells a backup by hand from one by schedule', () => {
  const name = backupName('5f0c71ab', NOON, 'hand')
  expect(name).toBe('overdue-5f0c71ab-20260304T120000Z-by-hand.db')
  expect(backupTime(name)).toEqual(NOON)
  expect(backupMark(name)).toBe('5f0c71ab')
  expect(backupOrigin(name)).toBe('hand')
})

test('a backup is old after a week', () => {
  expect(isBackupOld(NOON.subtract({ hours: 168 }), NOON)).toBe(false)
  expect(isBackupOld(NOON.subtract({ hours: 168, seconds: 1 }), NOON)).toBe(true)
  expect(isBackupOld(null, NOON)).toBe(false)
})

test.each([
  'overdue.db',
  'overdue-20261121T030000Z.db',
  'overdue-5f0c71ab-20261121T030000Z.db-wal',
  'overdue-5f0c71ab-20261121T030000Z.db.unfinished-17',
  'my-overdue-5f0c71ab-20261121T030000Z.db',
  'overdue-5f0c71ab-20261121T030000.db',
  'overdue-5f0c71ab-20261321T030000Z.db',
  'overdue-5f0c71a-20261121T030000Z.db',
  'overdue-5F0C71AB-20261121T030000Z.db',
  'overdue-5f0c71ab-20261121T030000Z-by-hand.db.gz',
  'overdue-5f0c71ab-20261121T030000Z-<b>.db',
])('%s is not the name of a backup', (name) => {
  expect(backupTime(name)).toBeNull()
})

test('backups are listed newest first, without other files and future times', () => {
  const names = [
    'overdue-5f0c71ab-20260301T030000Z.db',
    'notes.txt',
    'overdue-5f0c71ab-20270301T030000Z.db',
    'overdue-5f0c71ab-20260304T120000Z.db',
    'overdue-5f0c71ab-20260303T030000Z.db',
  ]
  expect(
    backupsUntil(
      names.map((name) => ({ name })),
      NOON,
    ).map(({ name }) => name),
  ).toEqual([
    'overdue-5f0c71ab-20260304T120000Z.db',
    'overdue-5f0c71ab-20260303T030000Z.db',
    'overdue-5f0c71ab-20260301T030000Z.db',
  ])
})

test('the first is due at once, the next when the schedule says so, in UTC', () => {
  const daily = '0 3 * * *'
  expect(backupDueAt(daily, null, NOON)).toEqual(NOON)
  expect(backupDueAt(daily, NOON, NOON)?.toString()).toBe('2026-03-05T03:00:00Z')
  expect(backupDueAt(daily, instant('2026-03-01T03:00:00Z'), NOON)?.toString()).toBe('2026-03-02T03:00:00Z')
  expect(backupDueAt('2026-03-01 03:00:00', NOON, NOON)).toBeNull()
})
