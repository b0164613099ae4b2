import { expect, test } from 'bun:test'
import { engineName, type PostgresAddress, shownDatabase } from '../../src/domain/database-address.ts'

const ADDRESS: PostgresAddress = {
  engine: 'postgres',
  hosts: [{ host: 'db.example.org', port: 5432 }],
  user: 'overdue',
  password: 'hush',
  database: 'overdue',
  sslmode: 'prefer',
  sslrootcert: null,
}

test.each<[string, Partial<PostgresAddress>]>([
  ['postgres://overdue@db.example.org/overdue', {}],
  [
    'postgres://overdue@db1:5433,[::1]/overdue',
    {
      hosts: [
        { host: 'db1', port: 5433 },
        { host: '::1', port: 5432 },
      ],
    },
  ],
  ['postgres://overdue@/overdue?host=/run/postgresql', { hosts: [{ host: '/run/postgresql', port: 5432 }] }],
  [
    'postgres://overdue@db.example.org/overdue?sslmode=verify-full&sslrootcert=/etc/my%20ca.pem',
    { sslmode: 'verify-full', sslrootcert: '/etc/my ca.pem' },
  ],
  ['postgres://a%40b@db.example.org/c%2Fd', { user: 'a@b', database: 'c/d' }],
])('a PostgreSQL is shown as %s, without its password', (shown, over) => {
  const address = { ...ADDRESS, ...over }
  expect(shownDatabase(address)).toBe(shown)
  expect(engineName(address)).toBe('PostgreSQL')
})

test('a file is shown as its path', () => {
  const address = { engine: 'sqlite', path: 'data/overdue.db' } as const
  expect([shownDatabase(address), engineName(address)]).toEqual(['data/overdue.db', 'SQLite'])
})
