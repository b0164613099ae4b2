import { describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Config, ConfigError, type Environment, readConfig } from '../src/config.ts'
import { KIND_SWITCHES } from '../src/domain/operator.ts'

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
    backups: null,
    siteName: 'Overdue',
    badgeLabel: 'Overdue',
    links: { siteRoot: 'http://localhost:8000', pingEndpoint: 'http://localhost:8000/ping/', checkPages: null },
    secretKey: null,
    pingBodyLimit: 10_000,
    pingLogLimit: 100,
    pingLogBytes: 16_777_216,
    apiRateLimit: 100,
    publicRateLimit: 300,
    v3Flips: 'array',
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
    metricsKey: null,
    prometheusEnabled: true,
    tracing: null,
    logLevel: 'info',
    packageScript: null,
    mail: null,
    confirmAddresses: false,
    mailPings: null,
    operator: {},
    commandEnvironment: {},
    withoutEffect: [],
    misspelled: [],
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

  test.each([
    ['APPRISE_URL', 'https://tokentoken@apprise.example.org/notify', 'https://(set)@apprise.example.org/notify'],
    ['EMAIL_HOST', 'smtps://alerts:p%40ss@mail.example.org', 'smtps://(set)@mail.example.org'],
    ['MATRIX_HOMESERVER', 'https://matrix.example.org/@x', 'https://(set)@x'],
    ['MATRIX_HOMESERVER', 'https://a/b@c:d@matrix.example.org', 'https://(set)@matrix.example.org'],
    ['MATRIX_HOMESERVER', 'https://matrix.example.org', 'https://matrix.example.org'],
  ])('of a login without a password, or with an @ or a slash in it, is nothing: %s=%s', (name, given, value) => {
    expect(shown({ [name]: given }, name)?.value).toBe(value)
  })

  test('of a URL is all but the login in it', () => {
    const { value } = shown({ MATRIX_HOMESERVER: 'https://me:s3cret@matrix.example.org/x' }, 'MATRIX_HOMESERVER') ?? {}
    expect(value).toBe('https://(set)@matrix.example.org/x')
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
      ['overdue.example.org', 'overdue.example.org'],
    ],
    bad: ['x'.repeat(256), '300.1.2.3', '1.2.3', ':::', 'two words', 'http://localhost'],
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
    name: 'MASTER_BADGE_LABEL',
    read: ({ badgeLabel }) => badgeLabel,
    good: [['Büro', 'Büro']],
    bad: ['x'.repeat(101)],
  },
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
    name: 'API_V3_FLIPS',
    read: ({ v3Flips }) => v3Flips,
    good: [
      ['array', 'array'],
      ['object', 'object'],
    ],
    bad: ['Array', 'list', 'True'],
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
    name: 'METRICS_KEY',
    read: ({ metricsKey }) => metricsKey,
    good: [['k', 'k']],
    bad: ['k'.repeat(1001)],
  },
  {
    name: 'PROMETHEUS_ENABLED',
    read: ({ prometheusEnabled }) => prometheusEnabled,
    good: [
      ['True', true],
      ['0', false],
    ],
    bad: FLAGS,
  },
  {
    name: 'SHELL_ENABLED',
    read: ({ operator }) => operator,
    good: [
      ['True', { SHELL_ENABLED: 'True' }],
      ['1', { SHELL_ENABLED: 'True' }],
      ['False', {}],
      ['0', {}],
    ],
    bad: FLAGS,
  },
  {
    name: 'EMAIL_MAIL_FROM_TMPL',
    read: ({ withoutEffect }) => withoutEffect,
    good: [['bounces+%s@example.org', ['EMAIL_MAIL_FROM_TMPL']]],
    bad: ['x'.repeat(1001)],
  },
  ...Object.values(KIND_SWITCHES).map((name) => ({
    name,
    read: ({ operator }: Config) => operator,
    good: [
      ['True', {}],
      ['False', { [name]: 'False' }],
    ] as const,
    bad: FLAGS,
  })),
  {
    name: 'EMAIL_HOST',
    read: ({ mail }) => mail?.host,
    good: [
      ['mail.example.org', 'mail.example.org'],
      ['smtp://[::1]:25', '::1'],
    ],
    bad: ['mail.example.org:25', 'https://mail.example.org', 'smtp://u:p/w@x', 'a b', `${'x'.repeat(1001)}`],
  },
  {
    name: 'DEFAULT_FROM_EMAIL',
    // Only with a server is there mail to be from somebody.
    read: () => null,
    good: [['Overdue <alerts@example.org>', null]],
    bad: ['Overdue', 'a@b, c@d', 'Overdue <a@b', 'x\ny <a@b>', `${'x'.repeat(254)}@b`],
  },
  {
    name: 'EMAIL_USE_VERIFICATION',
    read: ({ confirmAddresses }) => confirmAddresses,
    // Without open sign-up there is nobody whom not to trust.
    good: [
      ['True', false],
      ['False', false],
    ],
    bad: FLAGS,
  },
  {
    name: 'REGISTRATION_OPEN',
    read: ({ confirmAddresses }) => confirmAddresses,
    good: [
      ['True', true],
      ['False', false],
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
    name: 'SMTPD_PORT',
    read: ({ mailPings }) => mailPings?.port,
    good: [
      ['2525', 2525],
      ['0', 0],
    ],
    bad: ['65536', 'smtp', ...NUMBERS],
  },
  {
    name: 'PING_EMAIL_DOMAIN',
    read: () => null,
    good: ['localhost', 'Ping.Example.org', 'bücher.example', 'xn--bcher-kva.example', '192.0.2.1'].map((name) => [
      name,
      null,
    ]),
    bad: [
      'a@example.org',
      '@example.org',
      'a b',
      '.example.org',
      'example.org.',
      '-x',
      '[192.0.2.1]',
      'x'.repeat(256),
      '\n',
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
      checkPages: null,
    })
    expect(readConfig({ PORT: '9000', SITE_ROOT: 'https://x.org/hc/' }).links).toEqual({
      siteRoot: 'https://x.org/hc',
      pingEndpoint: 'https://x.org/hc/ping/',
      checkPages: null,
    })
  })

  test('is blamed once: a wrong PORT makes no wrong SITE_ROOT', () => {
    expect(problems({ PORT: 'x' })).toEqual(['PORT: "x" is not usable, give a whole number from 0 to 65535'])
    expect(problems({ SITE_ROOT: 'x' })).toHaveLength(1)
  })
})

test('commands see where programs are, whose home this is and the language, and none of our secrets', () => {
  const environment = { PATH: '/bin', HOME: '/root', LANG: 'C.UTF-8', SECRET_KEY: '0123456789abcdef', TWILIO_AUTH: 'x' }
  const { commandEnvironment } = readConfig(environment)
  expect(commandEnvironment).toEqual({ PATH: '/bin', HOME: '/root', LANG: 'C.UTF-8' })
})

describe('mail pings', () => {
  const pem = (name: string) => readFileSync(join(import.meta.dir, `delivery/localhost-${name}.pem`), 'utf8')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const files: Readonly<Record<string, string>> = {
    '/cert.pem': pem('cert'),
    '/key.pem': pem('key'),
    '/other.pem': String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
  const readFile = (path: string) => {
    const text = files[path]
    if (text === undefined) throw new Error(`ENOENT: no such file, open '${path}'`)
    return text
  }
  const read = (environment: Environment) => readConfig({ SMTPD_PORT: '2525', ...environment }, readFile).mailPings

  test('are taken from nobody until they have a port', () => {
    expect(readConfig({ PING_EMAIL_DOMAIN: 'ping.example' }).mailPings).toBeNull()
    expect(read({})).toEqual({ port: 2525, domain: 'localhost', tls: null })
    expect(read({ PING_EMAIL_DOMAIN: 'Ping.example' })?.domain).toBe('Ping.example')
  })

  test('are encrypted with the certificate and the key in the files that are named', () => {
    const tls = { cert: pem('cert'), key: pem('key') }
    expect(read({ SMTPD_TLS_CERT: '/cert.pem', SMTPD_TLS_KEY: '/key.pem' })?.tls).toEqual(tls)
    const named = { SMTPD_TLS_CERT_FILE: '/cert.pem', SMTPD_TLS_KEY_FILE: '/key.pem' }
    expect(read(named)?.tls).toEqual({ cert: tls.cert.trim(), key: tls.key.trim() })
    expect(JSON.stringify(readConfig(named, readFile).shown)).not.toContain('BEGIN')
  })

  test.each([
    [{ SMTPD_TLS_CERT: '/none', SMTPD_TLS_KEY: '/key.pem' }, "SMTPD_TLS_CERT: ENOENT: no such file, open '/none'"],
    [{ SMTPD_TLS_CERT: '/cert.pem' }, 'SMTPD_TLS_KEY: is not set, and SMTPD_TLS_CERT is of no use without it'],
    [{ SMTPD_TLS_KEY: '/key.pem' }, 'SMTPD_TLS_CERT: is not set, and SMTPD_TLS_KEY is of no use without it'],
    [
      { SMTPD_TLS_CERT: '/key.pem', SMTPD_TLS_KEY: '/key.pem' },
      'SMTPD_TLS_CERT: names a file without a certificate, give one in PEM format',
    ],
    [
      { SMTPD_TLS_CERT: '/cert.pem', SMTPD_TLS_KEY: '/cert.pem' },
      'SMTPD_TLS_KEY: names a file without a private key, give one in PEM format and without a passphrase',
    ],
    [{ SMTPD_TLS_CERT: '/cert.pem', SMTPD_TLS_KEY: '/other.pem' }, 'SMTPD_TLS_KEY: does not belong to SMTPD_TLS_CERT'],
  ])('say what is wrong with %j', (environment, problem) => {
    expect(problems(environment, readFile)).toEqual([problem])
  })
})

test('all problems are told at once, in one error', () => {
  const environment = Object.fromEntries(SETTINGS.map(({ name, bad }) => [name, bad[0]]))
  const found = problems({ ...environment, EMAIL_PORT: 'x', SMTPD_TLS_CERT: '/none' })
  expect(found.map((line) => line.split(':')[0]).toSorted()).toEqual(
    [...SETTINGS.map(({ name }) => name), 'EMAIL_PORT', 'SMTPD_TLS_CERT'].toSorted(),
  )
})

test('a name that is nearly a setting is told with the one that was meant, and nothing else of the environment', () => {
  const environment = { PING_LOG_LIMITT: '5', SECRET_KEY_FLIE: '/x', HOSTNAME: 'box', PATH: '/bin', SHELL: '/bin/sh' }
  expect(readConfig(environment).misspelled).toEqual([
    { name: 'PING_LOG_LIMITT', meant: 'PING_LOG_LIMIT' },
    { name: 'SECRET_KEY_FLIE', meant: 'SECRET_KEY_FILE' },
  ])
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

  test('that cannot be read is a problem of NAME_FILE with its path, and so is what a file holds', () => {
    expect(problems({ SECRET_KEY_FILE: '/run/none' }, readFile)).toEqual([
      "SECRET_KEY_FILE: cannot read /run/none, give a file that this user may read (ENOENT: no such file, open '/run/none')",
    ])
    expect(problems({ API_RATE_LIMIT_FILE: '/run/key' }, readFile)).toHaveLength(1)
  })

  test('is read from the disk', () => {
    const directory = mkdtempSync(join(tmpdir(), 'overdue-'))
    writeFileSync(join(directory, 'name'), 'Wächter\n')
    expect(readConfig({ SITE_NAME_FILE: join(directory, 'name') }).siteName).toBe('Wächter')
    expect(problems({ SITE_NAME_FILE: join(directory, 'none') })[0]).toStartWith(
      `SITE_NAME_FILE: cannot read ${join(directory, 'none')}, `,
    )
    expect(problems({ SITE_NAME_FILE: directory })[0]).toStartWith(`SITE_NAME_FILE: cannot read ${directory}, `)
    rmSync(directory, { recursive: true })
  })

  test('that is empty names no file', () => {
    expect(readConfig({ PORT_FILE: '', PORT: '82' }, readFile).port).toBe(82)
  })
})

describe('the mail server', () => {
  const mail = (environment: Environment) => readConfig({ EMAIL_HOST: 'mail.example.org', ...environment }).mail

  test('is reached on the usual port, by STARTTLS and without login, until told otherwise', () => {
    expect(mail({})).toEqual({
      host: 'mail.example.org',
      port: 587,
      encryption: 'starttls',
      login: null,
      from: { name: '', address: 'overdue@localhost' },
    })
  })

  test.each([
    [{ EMAIL_USE_SSL: 'True' }, 'tls', 465],
    [{ EMAIL_USE_SSL: 'True', EMAIL_USE_TLS: 'False', EMAIL_PORT: '2465' }, 'tls', 2465],
    [{ EMAIL_USE_TLS: 'False' }, 'none', 587],
    [{ EMAIL_USE_TLS: 'False', EMAIL_PORT: '25' }, 'none', 25],
    [{ EMAIL_HOST: 'smtps://mail.example.org' }, 'tls', 465],
    [{ EMAIL_HOST: 'smtps://mail.example.org:2465', EMAIL_PORT: '25' }, 'tls', 2465],
    [{ EMAIL_HOST: 'smtp://mail.example.org', EMAIL_PORT: '25' }, 'starttls', 25],
    [{ EMAIL_HOST: 'smtp://mail.example.org:26', EMAIL_USE_TLS: 'False' }, 'none', 26],
  ])('%j means %s on port %d', (environment, encryption, port) => {
    expect(mail(environment)).toMatchObject({ host: 'mail.example.org', encryption, port })
  })

  test.each([
    [
      { EMAIL_HOST_USER: 'me', EMAIL_HOST_PASSWORD: 'pw' },
      { user: 'me', password: 'pw' },
    ],
    [{ EMAIL_HOST: 'smtp://me:p%40w@mail.example.org' }, { user: 'me', password: 'p@w' }],
    [
      { EMAIL_HOST: 'smtp://me@mail.example.org', EMAIL_HOST_PASSWORD: 'pw' },
      { user: 'me', password: 'pw' },
    ],
    [{ EMAIL_HOST_USER: 'me' }, null],
    [{ EMAIL_HOST_PASSWORD: 'pw' }, null],
  ])('with %j the login is %j', (environment, login) => {
    expect(mail(environment)?.login ?? null).toEqual(login)
  })

  test.each([
    [{ DEFAULT_FROM_EMAIL: 'Overdue, Inc. <a@b.test>', EMAIL_HOST_USER: 'c@d.test' }, 'Overdue, Inc.', 'a@b.test'],
    [{ EMAIL_HOST_USER: 'c@d.test' }, '', 'c@d.test'],
    [{ EMAIL_HOST: 'smtp://c%40d.test:pw@mail.example.org' }, '', 'c@d.test'],
    [{ EMAIL_HOST_USER: 'apikey', SITE_ROOT: 'https://watch.example.org/x' }, '', 'overdue@watch.example.org'],
    [{ SITE_ROOT: 'http://192.0.2.1:8000' }, '', 'overdue@localhost'],
    [{ SITE_ROOT: 'http://[::1]:8000' }, '', 'overdue@localhost'],
    [{ SITE_ROOT: 'http://a;b' }, '', 'overdue@localhost'],
  ])('with %j mails come from "%s" <%s>', (environment, name, address) => {
    expect(mail(environment)?.from).toEqual({ name, address })
  })

  test('cannot be encrypted in two ways', () => {
    const both = { EMAIL_USE_TLS: 'True', EMAIL_USE_SSL: 'True' }
    expect(problems(both)).toEqual(['EMAIL_USE_SSL: is True and so is EMAIL_USE_TLS, set one of them to False'])
  })

  test.each([
    ['EMAIL_PORT', '0'],
    ['EMAIL_HOST_USER', 'x'.repeat(321)],
    ['EMAIL_HOST_PASSWORD', 'x'.repeat(1001)],
    ['EMAIL_USE_TLS', 'maybe'],
    ['EMAIL_USE_SSL', 'constructor'],
  ])('%s may not be %s', (name, value) => {
    expect(problems({ [name]: value })[0]).toStartWith(`${name}: `)
  })

  test('is not believed in without its addresses when strangers may sign up', () => {
    const confirms = (environment: Environment) => readConfig(environment).confirmAddresses
    expect(confirms({ REGISTRATION_OPEN: 'True' })).toBe(true)
    expect(confirms({ REGISTRATION_OPEN: 'True', EMAIL_USE_VERIFICATION: 'False' })).toBe(false)
  })

  test.each([
    'smtps://me:hunter2@mail.test',
    'smtps://me:hun/ter2:hunter2@mail.test',
    'smtp://me:x@hunter2@mail.test',
    'smtp://me:hunter2@mail.test/x',
  ])('%s keeps its password out of what is shown and out of errors', (url) => {
    const environment = { EMAIL_HOST: url, EMAIL_HOST_PASSWORD: 'hunter2' }
    const told = problems(environment)
    expect(told.join()).not.toContain('hunter2')
    if (told.length === 0) expect(JSON.stringify(readConfig(environment).shown)).not.toContain('hunter2')
    expect(problems({ EMAIL_HOST_PASSWORD: 'hunter2'.repeat(200) }).join()).not.toContain('hunter2')
  })
})

describe('tracing', () => {
  const ON = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
  const tracing = (environment: Environment) => readConfig(environment).tracing

  const asked: readonly [environment: Environment, url: string][] = [
    [ON, 'http://collector:4318/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector/otlp//' }, 'https://collector/otlp/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector/in?tenant=1' }, 'http://collector/in?tenant=1'],
    [{ ...ON, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces:4318/' }, 'http://traces:4318/'],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'http://localhost:4318/v1/traces'],
    [{ ...ON, OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'no' }, 'http://collector:4318/v1/traces'],
  ]
  test.each(asked)('%j asks for it, and names where it goes', (environment, url) => {
    expect(tracing(environment)?.url).toBe(url)
  })

  const notAsked: readonly Environment[] = [
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_SERVICE_NAME: 'overdue', OTEL_TRACES_SAMPLER: 'always_on' },
    { ...ON, OTEL_TRACES_EXPORTER: 'none' },
    { ...ON, OTEL_SDK_DISABLED: 'true' },
    { ...ON, OTEL_SDK_DISABLED: 'TRUE', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
  ]
  test.each(notAsked)('%j does not', (environment) => {
    expect(tracing(environment)).toBeNull()
  })

  test('has the defaults of the standard', () => {
    expect(tracing(ON)).toEqual({
      url: 'http://collector:4318/v1/traces',
      sampler: 'parentbased_always_on',
      ratio: 1,
      queueLimit: 2048,
      batchLimit: 512,
      delayMs: 5000,
    })
  })

  test('is what the variables say', () => {
    const given = {
      ...ON,
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '.25',
      OTEL_BSP_MAX_QUEUE_SIZE: '100',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
      OTEL_BSP_SCHEDULE_DELAY: '0',
    }
    expect(tracing(given)).toMatchObject({
      sampler: 'traceidratio',
      ratio: 0.25,
      queueLimit: 100,
      batchLimit: 10,
      delayMs: 0,
    })
  })

  test('is asked for with an argument that only some samplers look at', () => {
    expect(problems({ ...ON, OTEL_TRACES_SAMPLER: 'always_on', OTEL_TRACES_SAMPLER_ARG: 'endpoint=x' })).toEqual([])
  })

  const PROTOCOL = 'is not spoken, give http/protobuf and an endpoint that takes it, usually on port 4318'
  const bad: readonly [environment: Environment, problem: string][] = [
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, `OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" ${PROTOCOL}`],
    [
      { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' },
      `OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json" ${PROTOCOL}`,
    ],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER: "zipkin" is not there, give otlp or none'],
    [{ OTEL_TRACES_SAMPLER: 'xray' }, 'OTEL_TRACES_SAMPLER: "xray" is not known, give one of always_on, '],
    [
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '1.5' },
      'OTEL_TRACES_SAMPLER_ARG: "1.5" is not usable, give a number from 0 to 1',
    ],
    [{ OTEL_BSP_MAX_QUEUE_SIZE: '0' }, 'OTEL_BSP_MAX_QUEUE_SIZE: "0" is not usable'],
  ]
  test.each(bad)('%j is a problem', (environment, problem) => {
    const told = problems({ ...ON, ...environment })
    expect(told).toHaveLength(1)
    expect(told[0]).toStartWith(problem)
  })

  test('speaks the protocol that is named for traces, whatever is named for the rest', () => {
    const environment = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf' }
    expect(problems({ ...ON, ...environment })).toEqual([])
  })

  test.each(['grpc://me:hunter2@collector:4317', 'collector:4317', 'http://me:hunter2@collector:port'])(
    '%s is no endpoint, and is not quoted',
    (endpoint) => {
      expect(problems({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toEqual([
        'OTEL_EXPORTER_OTLP_ENDPOINT: is no web address, give one like http://localhost:4318',
      ])
    },
  )
})

describe('settings of the peer that have no effect yet', () => {
  const LATER: readonly (readonly [name: string, good: string, bad: string])[] = [
    ['REMOTE_USER_HEADER', 'X-User', 'x'.repeat(101)],
  ]

  test.each(LATER)('%s is checked, and said to have none', (name, good, bad) => {
    expect(readConfig({ [name]: good }).withoutEffect).toEqual([name])
    expect(problems({ [name]: bad })[0]).toStartWith(`${name}: `)
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

describe('backups by the server', () => {
  test('are off until a folder is named; then daily, and seven are kept', () => {
    expect(readConfig({ BACKUP_KEEP: '3' }).backups).toBeNull()
    expect(readConfig({ BACKUP_DIRECTORY: '/b' }).backups).toEqual({ directory: '/b', schedule: '0 3 * * *', keep: 7 })
  })

  test.each(['*/30 * * * *', 'Mon *-*-* 04:00:00 Europe/Riga'])('come by the schedule %j', (schedule) => {
    expect(readConfig({ BACKUP_DIRECTORY: '/b', BACKUP_SCHEDULE: schedule }).backups?.schedule).toBe(schedule)
  })

  test('are refused with everything that is wrong', () => {
    const wrong = {
      DATABASE_URL: 'sqlite::memory:',
      BACKUP_DIRECTORY: '/b',
      BACKUP_SCHEDULE: '0 25 * * *',
      BACKUP_KEEP: '0',
    }
    const [schedule, keep, memory, ...others] = problems(wrong)
    expect(schedule).toStartWith('BACKUP_SCHEDULE: "0 25 * * *" is no schedule: ')
    expect(schedule).toEndWith('Give one like 0 3 * * * or *-*-* 03:00:00')
    expect(keep).toBe('BACKUP_KEEP: "0" is not usable, give a whole number from 1 to 10000')
    expect(memory).toBe('BACKUP_DIRECTORY: a database in memory cannot be backed up, give a file in DATABASE_URL')
    expect(others).toEqual([])
  })
})
