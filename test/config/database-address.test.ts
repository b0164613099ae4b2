import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { databaseAddress } from '../../src/config/database-address.ts'
import { type PostgresAddress, SSL_MODES, shownDatabase } from '../../src/domain/database-address.ts'

const ADDRESS: PostgresAddress = {
  engine: 'postgres',
  hosts: [{ host: 'db', port: 5432 }],
  user: 'a',
  password: 'b',
  database: 'c',
  sslmode: 'prefer',
  sslrootcert: null,
}

function problem(given: string): string {
  try {
    databaseAddress(given)
    return 'none'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

test.each<[string, Partial<PostgresAddress>]>([
  ['postgres://a:b@db/c', {}],
  ['postgresql://a:b@db:5432/c', {}],
  ['postgres://a@db/c', { password: null }],
  ['postgres://a:@db/c', { password: null }],
  ['postgres://a%40x:p%40s%2Fs%3A%25@db/c%20d', { user: 'a@x', password: 'p@s/s:%', database: 'c d' }],
  ['postgres://a:x:y@z@db/c', { password: 'x:y@z' }],
  [
    'postgres://a:b@h1:5433,h2,[fe80::1]:5434,[::1],10.0.0.1/c',
    {
      hosts: [
        { host: 'h1', port: 5433 },
        { host: 'h2', port: 5432 },
        { host: 'fe80::1', port: 5434 },
        { host: '::1', port: 5432 },
        { host: '10.0.0.1', port: 5432 },
      ],
    },
  ],
  ['postgres://a:b@/c?host=/run/postgresql', { hosts: [{ host: '/run/postgresql', port: 5432 }] }],
  ['postgres://a:b@/c?host=%2Frun%2Fpg&port=5433', { hosts: [{ host: '/run/pg', port: 5433 }] }],
  ['postgres://a:b@%2Frun%2Fpg:5433/c', { hosts: [{ host: '/run/pg', port: 5433 }] }],
  [
    'postgres://a:b@/c?host=h1,::1&port=1,2',
    {
      hosts: [
        { host: 'h1', port: 1 },
        { host: '::1', port: 2 },
      ],
    },
  ],
  ...SSL_MODES.map((sslmode): [string, Partial<PostgresAddress>] => [
    `postgres://a:b@db/c?sslmode=${sslmode}`,
    { sslmode },
  ]),
  [
    'postgres://a:b@db/c?sslmode=verify-full&sslrootcert=/etc/ca.pem',
    { sslmode: 'verify-full', sslrootcert: '/etc/ca.pem' },
  ],
  ['postgres://a:b@db/c?sslmode=verify-full&sslrootcert=system', { sslmode: 'verify-full' }],
])('%s is understood as libpq does', (given, expected) => {
  expect(databaseAddress(given)).toEqual({ ...ADDRESS, ...expected })
})

test('the address of a file is its path', () => {
  expect(databaseAddress('sqlite:/var/o.db')).toEqual({ engine: 'sqlite', path: '/var/o.db' })
})

describe('a mistake is explained', () => {
  test.each([
    ['postgres:db/c', 'is not a URL of PostgreSQL; use one like '],
    ['postgres://a:hush@/c', 'has no host'],
    ['postgres://db/c', 'has no user'],
    ['postgres://:hush@db/c', 'has no user'],
    ['postgres://a:hush@db', 'has no database'],
    ['postgres://a:hush@db/', 'has no database'],
    [`postgres://a:hush@db/${'é'.repeat(32)}`, 'at most 63 bytes'],
    [`postgres://${'x'.repeat(64)}:hush@db/c`, 'at most 63 bytes'],
    ['postgres://a:hush/hush@db/c', 'write / as %2F'],
    ['postgres://a:hush?hush@db/c', '? as %3F'],
    ['postgres://a:hush#hush@db/c', '# as %23'],
    ['postgres://a:hush%@db/c', 'write % as %25'],
    ['postgres://a:hush%00@db/c', 'leave out %00'],
    ['postgres://a:hush', 'a port that is not a whole number from 1 to 65535'],
    ['postgres://a:hush@db:0/c', 'a port that is not a whole number from 1 to 65535'],
    ['postgres://a:hush@db:x/c', 'a port that is not a whole number from 1 to 65535'],
    ['postgres://a:hush@::1/c', 'write an IPv6 address as [::1]'],
    ['postgres://a:hush@[db]/c', 'write an IPv6 address as [::1]'],
    ['postgres://a:hush@h1,,h2/c', 'has a host that is not valid'],
    ['postgres://a:hush@h%20x/c', 'has a host that is not valid'],
    [`postgres://a:hush@${Array(17).fill('db').join(',')}/c`, 'use at most 16'],
    ['postgres://a:hush@db/c?host=/run', 'use one of the two'],
    ['postgres://a:hush@db/c?port=1', 'write the port after its host'],
    ['postgres://a:hush@/c?host=h1,h2,h3&port=1,2', 'one port for all, or one for each'],
    ['postgres://a:hush@/c?host=run/pg', 'the absolute path of the folder of a unix socket'],
    ['postgres://a:hush@db/c?sslmode=hush', 'use disable, prefer, require, verify-ca, or verify-full'],
    ['postgres://a:hush@db/c?sslmode=require&sslmode=require', 'has sslmode twice'],
    ['postgres://a:hush@db/c?sslrootcert=/ca.pem', 'set sslmode=verify-full'],
    ['postgres://a:hush@db/c?sslmode=verify-ca&sslrootcert=~/ca.pem', 'use an absolute path'],
    [
      'postgres://a:hush@db/c?schema=x',
      '"schema" is not a parameter of this URL; use only sslmode, sslrootcert, host, and port',
    ],
    ['postgres://a:hush@db/c?hush%20=x', 'has an unknown parameter; use only sslmode'],
    ['mysql://a:hush@db/c', 'use sqlite:<path of a file>, or a URL like postgres://'],
  ])('%s: %s', (given, words) => {
    const found = problem(given)
    expect(found).toContain(words)
    expect(found).not.toContain('hush')
  })
})

const Name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((text) => !text.includes('\0'))
const Host = fc.oneof(
  fc.domain(),
  fc.ipV4(),
  fc.ipV6(),
  Name.map((name) => `/${name}`).filter((path) => !path.includes(',')),
)
const Address: fc.Arbitrary<PostgresAddress> = fc.record({
  engine: fc.constant('postgres'),
  hosts: fc.array(fc.record({ host: Host, port: fc.integer({ min: 1, max: 65_535 }) }), { minLength: 1, maxLength: 3 }),
  user: Name,
  password: fc.constant(null),
  database: Name,
  sslmode: fc.constantFrom(...SSL_MODES),
  sslrootcert: fc.constant(null),
})

test('what is shown of several unix sockets is an address, with a colon in a folder too', () => {
  const address = {
    ...ADDRESS,
    password: null,
    hosts: [
      { host: '/run/a', port: 5433 },
      { host: '/run/b:c', port: 1 },
    ],
  }
  expect(databaseAddress(shownDatabase(address))).toEqual(address)
})

test('what is shown of any address is an address, without the password', () => {
  fc.assert(
    fc.property(Address, Name, (address, password) => {
      const shown = shownDatabase({ ...address, password: `${password}-hush` })
      expect(shown).not.toContain('-hush')
      expect(databaseAddress(shown)).toEqual(address)
    }),
  )
})

test('any text is an address or explained', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(problem(`postgres://${text}`)).toMatch(/^(?:none|\S.*; .*)$/s)
    }),
  )
})
