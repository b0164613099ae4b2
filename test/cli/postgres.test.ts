/** Messages of commands about a PostgreSQL server, without one. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run as runOn } from '../support/command-line.ts'

/** An address on which nothing listens. */
const DATABASE_URL = 'postgres://overdue:hush@127.0.0.1:1/checks'
const SHOWN = 'postgres://overdue@127.0.0.1:1/checks'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'overdue-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const run = (...words: string[]) => runOn(words, { DATABASE_URL })

describe('backups', () => {
  test.each(['backup', 'restore'])('are not for `overdue %s`, which says what to use instead', async (command) => {
    const file = join(folder, 'b.db')
    const { code, out, err } = await run(command, file, '--json')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(JSON.parse(err)).toEqual({
      error: `only a database in a file can be backed up and restored here, but this one is ${SHOWN}`,
      hint: 'use pg_dump for copies and pg_restore to restore them; for point-in-time recovery, use continuous archiving, such as pgBackRest, or the backups of a managed service',
      code: 'database-not-file',
    })
    expect(existsSync(file)).toBe(false)
  })

  test('cannot be scheduled', async () => {
    for (const command of ['serve', 'check-config']) {
      const { code, err } = await runOn([command], { DATABASE_URL, BACKUP_DIRECTORY: folder })
      expect(code).toBe(2)
      expect(err).toContain('BACKUP_DIRECTORY: is for SQLite; unset it, and use pg_dump for copies and pg_restore')
    }
  })
})

test('a server that cannot be reached is named, without the password', async () => {
  for (const words of [['serve'], ['migrate'], ['project', 'list']]) {
    const { code, out, err } = await run(...words)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toStartWith(`cannot use the database ${SHOWN}: `)
    expect(err).toContain('\n→ nothing accepts connections there: check that PostgreSQL runs, and DATABASE_URL\n')
    expect(err).not.toContain('hush')
  }
})

test('check-config shows the address without its login, and connects to nothing', async () => {
  const { code, out, err } = await run('check-config', '--json')
  expect([code, err]).toEqual([0, ''])
  expect(JSON.parse(out).settings.DATABASE_URL).toEqual({
    value: 'postgres://(set)@127.0.0.1:1/checks',
    from: 'environment',
  })
})
