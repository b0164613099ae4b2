import { expect, test } from 'bun:test'
import { backupDueAt, backupMark, backupName, backupsUntil, backupTime } from '../../src/domain/backup.ts'
import { Temporal } from '../../src/lib/time.ts'

const instant = (text: string) => Temporal.Instant.from(text)
const NOON = instant('2026-03-04T12:00:00Z')

test("a name has the database's mark and the second in which the backup began", () => {
  const name = 'overdue-5f0c71ab-20261121T030000Z.db'
  expect(backupName('5f0c71ab', instant('2026-11-21T03:00:00.999999Z'))).toBe(name)
  expect(backupTime(name)?.toString()).toBe('2026-11-21T03:00:00Z')
  expect(backupMark(name)).toBe('5f0c71ab')
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
  const plan = { schedule: '0 3 * * *' }
  expect(backupDueAt(plan, null, NOON)).toEqual(NOON)
  expect(backupDueAt(plan, NOON, NOON)?.toString()).toBe('2026-03-05T03:00:00Z')
  expect(backupDueAt(plan, instant('2026-03-01T03:00:00Z'), NOON)?.toString()).toBe('2026-03-02T03:00:00Z')
  expect(backupDueAt({ schedule: '2026-03-01 03:00:00' }, NOON, NOON)).toBeNull()
})
