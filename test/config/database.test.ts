import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../src/config/config.ts'
import { shownDatabase } from '../../src/domain/database-address.ts'
import { problems } from './support.ts'

const URL = 'postgres://overdue:hush@db.example.org/overdue'
const CERTIFICATE = readFileSync(join(import.meta.dir, '../delivery/localhost-cert.pem'), 'utf8')

test('the address may come from a file, and is shown without its login', () => {
  const config = readConfig({ DATABASE_URL_FILE: '/run/secrets/url' }, () => `${URL}\n`)
  expect(config.database).toMatchObject({ user: 'overdue', password: 'hush' })
  const shown = config.shown.find(({ name }) => name === 'DATABASE_URL')
  expect(shown).toEqual({ name: 'DATABASE_URL', value: 'postgres://(set)@db.example.org/overdue', from: 'file' })
  expect(shownDatabase(config.database)).toBe('postgres://overdue@db.example.org/overdue')
})

test('DATABASE_CONNECTIONS is for PostgreSQL; with SQLite the start warns that it does nothing', () => {
  const given = { DATABASE_CONNECTIONS: '20' }
  expect(readConfig({ ...given, DATABASE_URL: URL })).toMatchObject({ databaseConnections: 20, warnings: [] })
  expect(readConfig(given).warnings).toEqual([
    'DATABASE_CONNECTIONS has no effect, because the database is SQLite: unset it',
  ])
})

describe('sslrootcert', () => {
  const environment = { DATABASE_URL: `${URL}?sslmode=verify-full&sslrootcert=/etc/ca.pem` }

  test('is a file with a certificate', () => {
    expect(problems(environment, () => CERTIFICATE)).toEqual([])
  })

  test('is refused when the file holds none', () => {
    const message = '/etc/ca.pem contains no certificate; use a file in PEM format'
    expect(problems(environment, () => 'hello')).toEqual([`DATABASE_URL: sslrootcert: ${message}`])
  })

  test('is refused when the file cannot be read', () => {
    const unreadable = () => {
      throw new Error('ENOENT')
    }
    const message = 'cannot read /etc/ca.pem; use a file that this user may read (ENOENT)'
    expect(problems(environment, unreadable)).toEqual([`DATABASE_URL: sslrootcert: ${message}`])
  })
})
