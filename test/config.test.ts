import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Config, ConfigError, type Environment, readConfig } from '../src/config.ts'

function problems(environment: Environment, readFile?: (path: string) => string): readonly string[] {
  try {
    readConfig(environment, readFile)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

test('without any setting everything has its default', () => {
  const { shown: _, ...config } = readConfig({})
  expect(config).toEqual({
    host: '127.0.0.1',
    port: 8000,
    databasePath: 'data/overdue.db',
    siteName: 'Overdue',
    links: { siteRoot: 'http://localhost:8000', pingEndpoint: 'http://localhost:8000/ping/' },
    secretKey: null,
    pingBodyLimit: 10_000,
    pingLogLimit: 100,
    apiRateLimit: 100,
    allowPrivateAddresses: false,
    trustedProxies: [
      '127.0.0.0/8',
      '::1/128',
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      'fc00::/7',
      'fe80::/10',
    ],
    logLevel: 'info',
    operator: {},
    withoutEffect: [],
  })
})

test('an empty setting is none', () => {
  const names = [
    'HOST',
    'PORT',
    'DATABASE_URL',
    'SITE_ROOT',
    'SITE_NAME',
    'SECRET_KEY',
    'TRUSTED_PROXIES',
    'EMAIL_HOST',
  ]
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}))
})

describe('what is shown of the settings', () => {
  const shown = (environment: Environment, name: string) =>
    readConfig(environment, () => 'from a file').shown.find((setting) => setting.name === name)

  test('is every one of them once, by its name in the environment', () => {
    const names = readConfig({}).shown.map(({ name }) => name)
    expect(names).toContain('TRUSTED_PROXIES')
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
  })

  test('is the value and where it comes from', () => {
    expect(shown({ PORT: '81' }, 'PORT')).toEqual({ name: 'PORT', value: '81', from: 'environment' })
    expect(shown({ SITE_NAME_FILE: '/name' }, 'SITE_NAME')).toMatchObject({ value: 'from a file', from: 'file' })
    expect(shown({}, 'LOG_LEVEL')).toMatchObject({ value: 'info', from: 'default' })
    expect(shown({}, 'TWILIO_ACCOUNT')).toMatchObject({ value: null, from: 'default' })
  })

  test.each(['SECRET_KEY', 'EMAIL_HOST_PASSWORD', 'TELEGRAM_TOKEN', 'TWILIO_AUTH', 'TRELLO_APP_KEY'])(
    'of %s is only that it is set',
    (name) => {
      expect(shown({ [name]: 'sixteen characters' }, name)?.value).toBe('(set)')
    },
  )

  test('of a URL is all but the password in it', () => {
    const { value } = shown({ MATRIX_HOMESERVER: 'https://me:s3cret@matrix.example.org/x' }, 'MATRIX_HOMESERVER') ?? {}
    expect(value).toBe('https://me:(set)@matrix.example.org/x')
  })
})

interface Setting {
  readonly name: string
  readonly read: (config: Config) => unknown
  readonly good: readonly (readonly [text: string, value: unknown])[]
  readonly bad: readonly string[]
}

const NUMBERS = ['-1', '+1', '1.0', '1e2', '0x10', ' 1', '1 ', 'NaN', '١', '99999999999999999999']
const FLAGS = ['2', 'truthy', 'y', 'None', 'constructor', '__proto__', 'tostring']

const SETTINGS: readonly Setting[] = [
  {
    name: 'HOST',
    read: ({ host }) => host,
    good: [
      ['0.0.0.0', '0.0.0.0'],
      ['::', '::'],
    ],
    bad: ['x'.repeat(256)],
  },
  {
    name: 'PORT',
    read: ({ port }) => port,
    good: [
      ['0', 0],
      ['65535', 65_535],
      ['0080', 80],
    ],
    bad: ['65536', 'http', ...NUMBERS],
  },
  {
    name: 'DATABASE_URL',
    read: ({ databasePath }) => databasePath,
    good: [
      ['sqlite:o.db', 'o.db'],
      ['sqlite:./a b/o.db', './a b/o.db'],
      ['sqlite:/var/o.db', '/var/o.db'],
      ['sqlite:///var/o.db', '/var/o.db'],
      ['sqlite::memory:', ':memory:'],
    ],
    bad: ['o.db', 'sqlite:', 'mysql://x/y', 'postgres://x/y', 'postgresql://x/y', 'SQLITE:o.db'],
  },
  { name: 'SITE_NAME', read: ({ siteName }) => siteName, good: [['Büro', 'Büro']], bad: ['x'.repeat(101)] },
  {
    name: 'SITE_ROOT',
    read: ({ links }) => links.siteRoot,
    good: [
      ['https://example.org', 'https://example.org'],
      ['https://example.org//', 'https://example.org'],
      ['http://[::1]:8000/a/b/', 'http://[::1]:8000/a/b'],
    ],
    bad: [
      'example.org',
      'localhost:8000',
      'ftp://example.org',
      'https://',
      'https://x?a=b',
      'https://x#a',
      'javascript:alert(1)',
      '/',
    ],
  },
  {
    name: 'PING_ENDPOINT',
    read: ({ links }) => links.pingEndpoint,
    good: [
      ['https://p.example', 'https://p.example/'],
      ['https://p.example/x/', 'https://p.example/x/'],
    ],
    bad: ['p.example', 'ftp://p.example'],
  },
  {
    name: 'SECRET_KEY',
    read: ({ secretKey }) => secretKey,
    good: [['0123456789abcdef', '0123456789abcdef']],
    bad: ['0123456789abcde', '---'],
  },
  {
    name: 'PING_BODY_LIMIT',
    read: ({ pingBodyLimit }) => pingBodyLimit,
    good: [
      ['None', null],
      ['0', 0],
      ['2621440', 2_621_440],
    ],
    bad: ['2621441', 'none', 'null', ...NUMBERS],
  },
  {
    name: 'PING_LOG_LIMIT',
    read: ({ pingLogLimit }) => pingLogLimit,
    good: [
      ['1', 1],
      ['1000', 1000],
    ],
    bad: ['0', '1001', ...NUMBERS],
  },
  {
    name: 'API_RATE_LIMIT',
    read: ({ apiRateLimit }) => apiRateLimit,
    good: [
      ['0', 0],
      ['1000000', 1_000_000],
    ],
    bad: NUMBERS,
  },
  {
    name: 'INTEGRATIONS_ALLOW_PRIVATE_IPS',
    read: ({ allowPrivateAddresses }) => allowPrivateAddresses,
    good: [
      ...['True', 'true', '1', 'yes', 'ON'].map((text) => [text, true] as const),
      ...['False', 'false', '0', 'no', 'Off'].map((text) => [text, false] as const),
    ],
    bad: FLAGS,
  },
  {
    name: 'TRUSTED_PROXIES',
    read: ({ trustedProxies }) => trustedProxies,
    good: [
      ['192.0.2.1', ['192.0.2.1']],
      [' 192.0.2.0/24 , 2001:db8::/32,', ['192.0.2.0/24', '2001:db8::/32']],
      [',', []],
    ],
    bad: [
      '*',
      'localhost',
      '10',
      '10.0',
      '10.0.0.0/33',
      '10.0.0.0/',
      '::/129',
      '10.0.0.0/8;::1',
      '010.0.0.1',
      '10.0.0.0/8,x',
    ],
  },
  {
    name: 'LOG_LEVEL',
    read: ({ logLevel }) => logLevel,
    good: [
      ['debug', 'debug'],
      ['WARNING', 'warning'],
    ],
    bad: ['trace', 'warn', 'constructor', '1'],
  },
]

describe.each(SETTINGS)('$name', ({ name, read, good, bad }) => {
  test('is taken when it is good', () => {
    for (const [text, value] of good) expect([text, read(readConfig({ [name]: text }))]).toEqual([text, value])
  })

  test('is refused by name, and nothing else with it, when it is not', () => {
    for (const text of bad) {
      const found = problems({ [name]: text })
      expect([text, found.length, found[0]]).toEqual([
        text,
        1,
        expect.stringMatching(new RegExp(`^${name}: .{10,}`, 's')),
      ])
    }
  })
})

describe('what other settings follow from', () => {
  test('SITE_ROOT names the port, PING_ENDPOINT the site', () => {
    expect(readConfig({ PORT: '9000' }).links).toEqual({
      siteRoot: 'http://localhost:9000',
      pingEndpoint: 'http://localhost:9000/ping/',
    })
    expect(readConfig({ PORT: '9000', SITE_ROOT: 'https://x.org/hc/' }).links).toEqual({
      siteRoot: 'https://x.org/hc',
      pingEndpoint: 'https://x.org/hc/ping/',
    })
  })

  test('is blamed once: a wrong PORT makes no wrong SITE_ROOT', () => {
    expect(problems({ PORT: 'x' })).toEqual(['PORT: "x" is not usable, give a whole number from 0 to 65535'])
    expect(problems({ SITE_ROOT: 'x' })).toHaveLength(1)
  })
})

test('all problems are told at once, in one error', () => {
  const environment = Object.fromEntries(SETTINGS.map(({ name, bad }) => [name, bad[0]]))
  const found = problems({ ...environment, EMAIL_PORT: 'x', SMTPD_PORT: '0' })
  expect(found.map((line) => line.split(':')[0]).toSorted()).toEqual(
    [...SETTINGS.map(({ name }) => name), 'EMAIL_PORT', 'SMTPD_PORT'].toSorted(),
  )
})

describe('NAME_FILE', () => {
  const files: Readonly<Record<string, string>> = {
    '/run/key': 'the secret of the file\n',
    '/run/port': ' 81 ',
    '/run/empty': '\n',
  }
  const readFile = (path: string): string => {
    const text = files[path]
    if (text === undefined) throw new Error(`ENOENT: no such file, open '${path}'`)
    return text
  }

  test('gives what the file holds, without the blanks around it, and wins over NAME', () => {
    const config = readConfig({ SECRET_KEY_FILE: '/run/key', SECRET_KEY: 'short', PORT_FILE: '/run/port' }, readFile)
    expect([config.secretKey, config.port]).toEqual(['the secret of the file', 81])
  })

  test('that cannot be read is a problem of the setting, and so is what a file holds', () => {
    expect(problems({ SECRET_KEY_FILE: '/run/none' }, readFile)).toEqual([
      "SECRET_KEY: ENOENT: no such file, open '/run/none'",
    ])
    expect(problems({ API_RATE_LIMIT_FILE: '/run/key' }, readFile)).toHaveLength(1)
  })

  test('is read from the disk', () => {
    const directory = mkdtempSync(join(tmpdir(), 'overdue-'))
    writeFileSync(join(directory, 'name'), 'Wächter\n')
    expect(readConfig({ SITE_NAME_FILE: join(directory, 'name') }).siteName).toBe('Wächter')
    expect(problems({ SITE_NAME_FILE: join(directory, 'none') })[0]).toStartWith('SITE_NAME: ENOENT')
    expect(problems({ SITE_NAME_FILE: directory })[0]).toStartWith('SITE_NAME: EISDIR')
    rmSync(directory, { recursive: true })
  })

  test('that is empty names no file', () => {
    expect(readConfig({ PORT_FILE: '', PORT: '82' }, readFile).port).toBe(82)
  })
})

describe('settings of the peer that have no effect yet', () => {
  const LATER: readonly (readonly [name: string, good: string, bad: string])[] = [
    ['DEFAULT_FROM_EMAIL', 'a@example.org', 'x'.repeat(321)],
    ['EMAIL_HOST', 'mail.example.org', 'x'.repeat(256)],
    ['EMAIL_PORT', '587', '0'],
    ['EMAIL_HOST_USER', 'user', 'x'.repeat(321)],
    ['EMAIL_HOST_PASSWORD', 'password', 'x'.repeat(1001)],
    ['EMAIL_USE_TLS', 'True', 'maybe'],
    ['EMAIL_USE_SSL', 'False', 'constructor'],
    ['EMAIL_USE_VERIFICATION', 'False', '2'],
    ['PING_EMAIL_DOMAIN', 'example.org', 'x'.repeat(256)],
    ['SMTPD_PORT', '2525', '65536'],
    ['REGISTRATION_OPEN', 'False', '__proto__'],
    ['REMOTE_USER_HEADER', 'X-User', 'x'.repeat(101)],
  ]

  test.each(LATER)('%s is checked, and said to have none', (name, good, bad) => {
    expect(readConfig({ [name]: good }).withoutEffect).toEqual([name])
    expect(problems({ [name]: bad })[0]).toStartWith(`${name}: `)
  })

  test('are not told with their values, which may be secret', () => {
    const config = readConfig({ EMAIL_HOST_PASSWORD: 'hunter2' })
    expect(JSON.stringify(config)).not.toContain('hunter2')
    expect(problems({ SECRET_KEY: 'hunter2', EMAIL_HOST_PASSWORD: 'hunter2'.repeat(200) }).join()).not.toContain(
      'hunter2',
    )
  })
})

test('no text in any setting is an error of another kind', () => {
  const name = fc.constantFrom(...SETTINGS.map((setting) => setting.name))
  fc.assert(
    fc.property(fc.dictionary(name, fc.string({ unit: 'binary' })), (environment) => {
      for (const line of problems(environment)) expect(Object.keys(environment)).toContain(line.split(':')[0] ?? '')
    }),
  )
})
