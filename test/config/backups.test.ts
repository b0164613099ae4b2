import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import { problems } from './support.ts'

describe('backups by the server', () => {
  test('are off until BACKUP_DIRECTORY is set; then they are daily, and seven are kept', () => {
    expect(readConfig({ BACKUP_KEEP: '3' }).backups).toEqual({ directory: null, schedule: null, keep: 3 })
    expect(readConfig({ BACKUP_DIRECTORY: '/b' }).backups).toEqual({ directory: '/b', schedule: '0 3 * * *', keep: 7 })
  })

  test.each(['*/30 * * * *', 'Mon *-*-* 04:00:00 Europe/Riga'])('can have the schedule %j', (schedule) => {
    expect(readConfig({ BACKUP_DIRECTORY: '/b', BACKUP_SCHEDULE: schedule }).backups.schedule).toBe(schedule)
  })

  test('can have a word of cron as their schedule', () => {
    expect(readConfig({ BACKUP_DIRECTORY: '/b', BACKUP_SCHEDULE: '@daily' }).backups.schedule).toBe('0 0 * * *')
  })

  test('are refused with all problems', () => {
    const wrong = {
      DATABASE_URL: 'sqlite::memory:',
      BACKUP_DIRECTORY: '/b',
      BACKUP_SCHEDULE: '0 25 * * *',
      BACKUP_KEEP: '0',
    }
    const [schedule, keep, memory, ...others] = problems(wrong)
    expect(schedule).toStartWith('BACKUP_SCHEDULE: "0 25 * * *" is not a schedule: ')
    expect(schedule).toEndWith('Use one like 0 3 * * * or *-*-* 03:00:00')
    expect(keep).toBe('BACKUP_KEEP: "0" is not valid; use a whole number from 1 to 10000')
    expect(memory).toBe('BACKUP_DIRECTORY: a database in memory cannot be backed up; set DATABASE_URL to a file')
    expect(others).toEqual([])
  })

  test('are refused with PostgreSQL, with what to use instead', () => {
    expect(problems({ DATABASE_URL: 'postgres://a:hush@db/c', BACKUP_DIRECTORY: '/b' })).toEqual([
      'BACKUP_DIRECTORY: is for SQLite; unset it, and use pg_dump for copies and pg_restore to restore them; for point-in-time recovery, use continuous archiving, such as pgBackRest, or the backups of a managed service',
    ])
  })
})
