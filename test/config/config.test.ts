import { describe, expect, test } from 'bun:test'
import { hostname } from 'node:os'
import fc from 'fast-check'
import { type Config, readConfig } from '../../src/config/config.ts'
import { shownDatabase } from '../../src/domain/database-address.ts'
import { KIND_SWITCHES } from '../../src/transports/operator.ts'
import { problems } from './support.ts'

test('without any setting everything has its default', () => {
  const { shown: _, ...config } = readConfig({})
  expect(config).toEqual({
    host: '127.0.0.1',
    port: 8000,
    database: { engine: 'sqlite', path: 'data/overdue.db' },
    databaseConnections: 8,
    backups: { directory: null, schedule: null, keep: 7 },
    instanceName: hostname(),
    drainSeconds: 0,
    siteName: 'Overdue',
    badgeLabel: 'Overdue',
    links: {
      siteRoot: 'http://localhost:8000',
      pingEndpoint: 'http://localhost:8000/ping/',
      checkPages: 'http://localhost:8000/cloaked/',
    },
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
    admin: null,
    remoteUserHeader: null,
    signInRules: {
      isRegistrationOpen: false,
      hasLocalSignIn: true,
      oidc: null,
      passkeys: { rpId: 'localhost', origin: 'http://localhost:8000' },
    },
    metricsKey: null,
    prometheusEnabled: true,
    tracing: null,
    logLevel: 'info',
    packageScript: null,
    mail: {
      server: null,
      port: 587,
      encryption: 'starttls',
      from: { name: '', address: 'overdue@localhost' },
      variables: { host: null, port: null, encryption: null, user: null, password: null, from: null },
    },
    confirmAddresses: false,
    mailPings: null,
    operator: {},
    commandEnvironment: {},
    withoutEffect: [],
    misspelled: [],
    warnings: [],
  })
})

test('an empty setting counts as unset', () => {
  const names = [
    'HOST',
    'PORT',
    'DATABASE_URL',
    'SITE_ROOT',
    'INSTANCE_NAME',
    'SITE_NAME',
    'SECRET_KEY',
    'TRUSTED_PROXIES',
    'EMAIL_HOST',
  ]
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}))
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
    read: ({ database }) => shownDatabase(database),
    good: [
      ['sqlite:o.db', 'o.db'],
      ['sqlite:./a b/o.db', './a b/o.db'],
      ['sqlite:/var/o.db', '/var/o.db'],
      ['sqlite:///var/o.db', '/var/o.db'],
      ['sqlite::memory:', ':memory:'],
      ['postgres://a:secret@db/overdue', 'postgres://a@db/overdue'],
    ],
    bad: ['o.db', 'sqlite:', 'mysql://x/y', 'postgres:x', 'postgres://x/y', 'SQLITE:o.db'],
  },
  {
    name: 'DATABASE_CONNECTIONS',
    read: ({ databaseConnections }) => databaseConnections,
    good: [
      ['4', 4],
      ['1000', 1000],
    ],
    bad: ['3', '1001', ...NUMBERS],
  },
  {
    name: 'INSTANCE_NAME',
    read: ({ instanceName }) => instanceName,
    good: [['east 1', 'east 1']],
    bad: ['x'.repeat(101)],
  },
  {
    name: 'DRAIN_SECONDS',
    read: ({ drainSeconds }) => drainSeconds,
    good: [
      ['0', 0],
      ['300', 300],
    ],
    bad: ['301', ...NUMBERS],
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
      ['https://example.org/~o,(n)@+b%20c', 'https://example.org/~o,(n)@+b%20c'],
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
      "https://x/o'clock",
      'https://x/:a',
      'https://x/a/*',
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
      ['none', null],
      ['0', 0],
      ['2621440', 2_621_440],
    ],
    bad: ['2621441', 'null', ...NUMBERS],
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
  ...KIND_SWITCHES.map((name) => ({
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
    read: ({ mail }) => mail.server?.host,
    good: [
      ['mail.example.org', 'mail.example.org'],
      ['smtp://[::1]:25', '::1'],
    ],
    bad: ['mail.example.org:25', 'https://mail.example.org', 'smtp://u:p/w@x', 'a b', `${'x'.repeat(1001)}`],
  },
  {
    name: 'DEFAULT_FROM_EMAIL',
    // It has an effect only with EMAIL_HOST.
    read: () => null,
    good: [['Overdue <alerts@example.org>', null]],
    bad: ['Overdue', 'a@b, c@d', 'Overdue <a@b', 'x\ny <a@b>', `${'x'.repeat(254)}@b`],
  },
  {
    name: 'EMAIL_USE_VERIFICATION',
    read: ({ confirmAddresses }) => confirmAddresses,
    // Without open sign-up the operator vouches for every address.
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
  test('accepts values that are valid', () => {
    for (const [text, value] of good) expect([text, read(readConfig({ [name]: text }))]).toEqual([text, value])
  })

  test('is refused by name, and nothing else with it, when its value is not valid', () => {
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

describe('a default that follows from another setting', () => {
  test('is that of SITE_ROOT, from PORT, and that of PING_ENDPOINT, from SITE_ROOT', () => {
    expect(readConfig({ PORT: '9000' }).links).toEqual({
      siteRoot: 'http://localhost:9000',
      pingEndpoint: 'http://localhost:9000/ping/',
      checkPages: 'http://localhost:9000/cloaked/',
    })
    expect(readConfig({ PORT: '9000', SITE_ROOT: 'https://x.org/hc/' }).links).toEqual({
      siteRoot: 'https://x.org/hc',
      pingEndpoint: 'https://x.org/hc/ping/',
      checkPages: 'https://x.org/hc/cloaked/',
    })
  })

  test('is no second problem: a wrong PORT does not make SITE_ROOT wrong', () => {
    expect(problems({ PORT: 'x' })).toEqual(['PORT: "x" is not valid; use a whole number from 0 to 65535'])
    expect(problems({ SITE_ROOT: 'x' })).toHaveLength(1)
  })
})

test('commands get PATH, HOME and LANG, and none of our secrets', () => {
  const environment = { PATH: '/bin', HOME: '/root', LANG: 'C.UTF-8', SECRET_KEY: '0123456789abcdef', TWILIO_AUTH: 'x' }
  const { commandEnvironment } = readConfig(environment)
  expect(commandEnvironment).toEqual({ PATH: '/bin', HOME: '/root', LANG: 'C.UTF-8' })
})

test('all problems are reported at once, in one error', () => {
  const environment = Object.fromEntries(SETTINGS.map(({ name, bad }) => [name, bad[0]]))
  const found = problems({ ...environment, EMAIL_PORT: 'x', SMTPD_TLS_CERT: '/none' })
  expect(found.map((line) => line.split(':')[0]).toSorted()).toEqual(
    [...SETTINGS.map(({ name }) => name), 'EMAIL_PORT', 'SMTPD_TLS_CERT'].toSorted(),
  )
})

test('a name close to a setting is reported with that setting', () => {
  const environment = {
    PING_LOG_LIMITT: '5',
    SECRET_KEY_FLIE: '/x',
    BACKUP_DIR: '/backups',
    EMAIL_USER: 'me',
    PROT: '80',
  }
  expect(readConfig(environment).misspelled).toEqual([
    { name: 'PING_LOG_LIMITT', meant: 'PING_LOG_LIMIT' },
    { name: 'SECRET_KEY_FLIE', meant: 'SECRET_KEY_FILE' },
    { name: 'BACKUP_DIR', meant: 'BACKUP_DIRECTORY' },
    { name: 'EMAIL_USER', meant: 'EMAIL_HOST_USER' },
    { name: 'PROT', meant: 'PORT' },
  ])
})

test('nothing that is usual in an environment is reported', () => {
  const usual =
    'PATH HOME USER LOGNAME HOSTNAME HOSTTYPE SHELL SHLVL PWD OLDPWD TERM LANG LC_ALL TZ POST HOSTS LOG_FILE LOG_DIR MAIL ' +
    'EDITOR DISPLAY SSH_AUTH_SOCK SSH_CONNECTION XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS INVOCATION_ID JOURNAL_STREAM ' +
    'KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_PORT GITHUB_TOKEN API_KEY API_TOKEN PUBLIC_URL SITE_URL'
  expect(readConfig(Object.fromEntries(usual.split(' ').map((name) => [name, 'x']))).misspelled).toEqual([])
})

describe('a warning is given for', () => {
  const HALF = 'Overdue does not log in to the mail server'
  test.each([
    [
      { EMAIL_HOST: 'mail.example.org', EMAIL_HOST_USER: 'me' },
      `EMAIL_HOST_USER is set, but EMAIL_HOST_PASSWORD is not: ${HALF}`,
    ],
    [
      { EMAIL_HOST: 'mail.example.org', EMAIL_HOST_PASSWORD: 'x' },
      `EMAIL_HOST_PASSWORD is set, but EMAIL_HOST_USER is not: ${HALF}`,
    ],
    [{ DATABASE_URL: 'sqlite::memory:' }, 'the database is in memory: everything is lost when the server stops'],
    [
      { HOST: '0.0.0.0' },
      'SITE_ROOT is not set, so ping URLs and links use localhost: set it to an address that other machines can reach, such as SITE_ROOT=https://overdue.example.org',
    ],
  ])('%j', (environment, warning) => {
    expect(readConfig(environment).warnings).toEqual([warning])
  })

  test('nothing when SITE_ROOT is set for a server that is open to other machines', () => {
    expect(readConfig({ HOST: '0.0.0.0', SITE_ROOT: 'http://example.org' }).warnings).toEqual([])
  })
})

describe('the message about', () => {
  const TILDE = 'begins with ~, which the shell does not expand here; use an absolute path'
  test.each([
    [{ SMTPD_PORT: '2525', PORT: '2525' }, 'SMTPD_PORT: is the same as PORT; use another port'],
    [{ PING_BODY_LIMIT: 'all' }, 'PING_BODY_LIMIT: "all" is not valid; use a whole number from 0 to 2621440, or None'],
    [{ DATABASE_URL: 'sqlite:~/x.db' }, `DATABASE_URL: "~/x.db" ${TILDE}`],
    [{ BACKUP_DIRECTORY: '~overdue/backups' }, `BACKUP_DIRECTORY: "~overdue/backups" ${TILDE}`],
    [
      { SITE_ROOT: 'http://x/?a' },
      'SITE_ROOT: "http://x/?a" must be an http or https URL without a query; use one like https://overdue.example.org',
    ],
    [
      { SITE_ROOT: "https://x.org/o'clock" },
      `SITE_ROOT: "https://x.org/o'clock" has ' in its path, which this server does not accept; use a path without it`,
    ],
    [
      { MATRIX_HOMESERVER: 'matrix.example.org' },
      'MATRIX_HOMESERVER: is not an http or https URL; use one like https://matrix.example.org',
    ],
  ])('%j says what to use', (environment, problem) => {
    expect(problems(environment)).toEqual([problem])
  })
})

test('both servers may take any free port', () => {
  expect(problems({ PORT: '0', SMTPD_PORT: '0' })).toEqual([])
})

test('no text in any setting causes another error', () => {
  const name = fc.constantFrom(...SETTINGS.map((setting) => setting.name))
  fc.assert(
    fc.property(fc.dictionary(name, fc.string({ unit: 'binary' })), (environment) => {
      for (const line of problems(environment)) expect(Object.keys(environment)).toContain(line.split(':')[0] ?? '')
    }),
  )
})
