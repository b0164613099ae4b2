import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Folder, folder, type Run, run } from './support.ts'

let place: Folder
let DATABASE_URL: string
beforeAll(async () => {
  place = folder()
  DATABASE_URL = place.url
  expect((await run(['migrate'], { DATABASE_URL })).code).toBe(0)
})
afterAll(() => place.remove())

const overdue = (...words: string[]): Promise<Run> => run(words, { DATABASE_URL })

async function json<Answer>(...words: string[]): Promise<Answer> {
  const { code, out, err } = await overdue(...words, '--json')
  expect({ code, err, lines: out.trimEnd().split('\n').length }).toEqual({ code: 0, err: '', lines: 1 })
  return JSON.parse(out) as Answer
}

const COMMANDS = [
  'check list',
  'check show',
  'check create',
  'check pause',
  'check resume',
  'check delete',
  'check assign',
  'ping',
  'completion',
  'help',
  'version',
  'serve',
  'migrate',
  'check-config',
  'health',
  'project create',
  'project list',
  'project set',
  'key create',
  'key list',
  'key revoke',
  'channel create',
  'channel list',
  'channel set',
  'channel delete',
  'channel test',
  'delivery list',
  'delivery retry',
  'backup',
  'restore',
  'mail test',
  'report list',
  'report show',
  'schedule',
]

describe('--help', () => {
  test('of every command says how it is used, reads no settings and touches no database', async () => {
    const empty = folder()
    const settings = { DATABASE_URL: empty.url, PORT: 'wrong' }
    const runs = await Promise.all(COMMANDS.map((words) => run([...words.split(' '), '--help'], settings)))
    for (const [index, { code, out, err }] of runs.entries()) {
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toStartWith(`overdue ${COMMANDS[index]}`)
      expect(out).toMatch(new RegExp(`\n\nExample:\n  .*overdue ${COMMANDS[index]}\\b`))
    }
    expect(readdirSync(empty.path)).toEqual([])
    empty.remove()
  })

  test('without a command, and no words at all, list every command', async () => {
    for (const words of [[], ['--help'], ['-h']]) {
      const { code, out } = await run(words)
      expect(code).toBe(0)
      for (const command of COMMANDS) expect(out).toContain(`  ${command} `)
    }
  })

  test('is also given by help, for one command, a group, or all of them', async () => {
    const same = [
      [
        ['help', 'project', 'create'],
        ['project', 'create', '--help'],
      ],
      [
        ['help', 'key'],
        ['key', '--help'],
      ],
      [['help'], ['--help']],
    ] as const
    for (const [asked, other] of same) expect(await run(asked)).toEqual(await run(other))
  })

  test('of a group lists its commands only', async () => {
    const { code, out } = await run(['key', '--help'])
    expect(code).toBe(0)
    expect(out).toContain('key revoke')
    expect(out).not.toContain('project list')
  })
})

describe('a mistake in the command line ends with 2', () => {
  test.concurrent.each([
    [['nonsense'], 'unknown command "nonsense"'],
    [['project', 'destroy'], 'unknown command "project destroy"'],
    [['help', 'nonsense'], 'unknown command "nonsense"'],
    [['project', 'list', '--nope'], 'unknown option --nope'],
    [['project', 'list', '-x'], 'unknown option -x'],
    [['project', 'create'], 'missing NAME. Usage: overdue project create NAME [--json]'],
    [['key', 'revoke'], 'missing PROJECT and KEY. Usage: overdue key revoke PROJECT KEY [--json]'],
    [['key', 'revoke', 'a', 'b', 'c'], 'unexpected argument "c". Usage: overdue key revoke PROJECT KEY [--json]'],
    [['project', 'list', '--json=x'], 'option --json takes no value'],
    [['channel', 'list', '--project'], 'option --project needs a value'],
    [['channel', 'test', 'x', '--project', '--status'], 'option --project needs a value, not --status'],
  ])('%j', async (words, message) => {
    const { code, out, err } = await overdue(...words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).toMatch(/→ .*see `overdue .*--help`/)
    expect(err.trimEnd().split('\n')).toHaveLength(2)
  })
})

describe('a command that is mistyped', () => {
  test.concurrent.each([
    [['projct', 'list'], 'did you mean `overdue project list`?'],
    [['project', 'lsit'], 'did you mean `overdue project list`?'],
    [['create', 'project', 'X'], 'did you mean `overdue project create`?'],
    [['sevre'], 'did you mean `overdue serve`?'],
    [['backup', 'file', '--froce'], 'did you mean --force?'],
  ])('%j is answered with what was meant', async (words, question) => {
    const { code, err } = await run(words)
    expect(code).toBe(2)
    expect(err).toContain(`→ ${question}`)
  })

  test('is not answered with a word that has little to do with it', async () => {
    expect((await run(['frobnicate'])).err).toBe('unknown command "frobnicate"\n→ see `overdue --help`\n')
  })
})

test('a group alone lists its commands and ends with 2', async () => {
  const { code, out, err } = await run(['project'])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toStartWith('missing command after "project":\n  project create  ')
  expect(err).toContain('\n  project set ')
  expect(err).toEndWith('\n→ see `overdue project --help`\n')
})

test('version and --version print the version of the package', async () => {
  const { version } = await Bun.file(join(import.meta.dir, '../../package.json')).json()
  for (const words of [['version'], ['--version']]) {
    expect(await run(words)).toEqual({ code: 0, out: `${version}\n`, err: '' })
    expect(JSON.parse((await run([...words, '--json'])).out)).toEqual({ version })
  }
})

describe('with --json an error is one line of JSON on standard error, with the exit status as without', () => {
  test.each([
    [['project', 'set', 'nobody', '--ping-log-limit', '5'], 1, 'there is no project "nobody"', 'overdue project list'],
    [['project', 'create'], 2, 'missing NAME', 'overdue project create --help'],
    [['project'], 2, 'missing command', 'overdue project --help'],
    [['nonsense'], 2, 'unknown command "nonsense"', 'overdue --help'],
  ])('%j', async (words, status, message, hint) => {
    const { code, out, err } = await overdue(...words, '--json')
    expect({ code, out, lines: err.split('\n').length }).toEqual({ code: status, out: '', lines: 2 })
    const complaint = JSON.parse(err)
    expect(complaint.error).toContain(message)
    expect(complaint.hint).toContain(hint)
  })

  test('of the settings, with each problem', async () => {
    const { code, err } = await run(['check-config', '--json'], { PORT: 'x', LOG_LEVEL: 'loud' })
    expect(code).toBe(2)
    const { problems, ...rest } = JSON.parse(err)
    expect(rest).toEqual({ error: 'the settings are not valid', hint: null })
    expect(problems.map((problem: string) => problem.split(':')[0])).toEqual(['PORT', 'LOG_LEVEL'])
  })
})

test('every problem of the settings is told at once, and ends with 2', async () => {
  const settings = {
    DATABASE_URL,
    PORT: 'x',
    LOG_LEVEL: 'loud',
    EMAIL_USE_TLS: 'perhaps',
    SECRET_KEY_FILE: '/nowhere/at/all',
  }
  for (const words of [['serve'], ['check-config'], ['project', 'list']]) {
    const { code, out, err } = await run(words, settings)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err.split('\n').map((line) => line.split(':')[0])).toEqual([
      'the settings are not valid',
      '  PORT',
      '  SECRET_KEY_FILE',
      '  EMAIL_USE_TLS',
      '  LOG_LEVEL',
      '',
    ])
  }
})

interface Made {
  readonly id: string
  readonly api_key: string
}

describe('--json', () => {
  test('of the commands for projects, keys and channels has the members that are documented', async () => {
    const made = await json<Made>('project', 'create', 'Back ups')
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Back ups',
      api_key: expect.stringMatching(/^odw_[A-Za-z0-9]{28}$/),
      api_key_readonly: expect.stringMatching(/^odr_[A-Za-z0-9]{28}$/),
      ping_key: expect.stringMatching(/^[a-z0-9]{22}$/),
      channels: [],
    } as never)
    expect(await json<unknown>('project', 'set', 'Back ups', '--ping-log-limit', '7')).toEqual({
      id: made.id,
      name: 'Back ups',
      ping_log_limit: 7,
    })
    expect(await json<unknown[]>('project', 'list')).toContainEqual({
      id: made.id,
      name: 'Back ups',
      ping_log_limit: 7,
    })

    const key = await json<{ key: string }>('key', 'create', made.id, '--kind', 'read-only')
    expect(key).toEqual({ kind: 'read-only', key: expect.stringMatching(/^odr_[A-Za-z0-9]{28}$/) } as never)
    const created = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
    expect(await json<unknown>('key', 'revoke', 'Back ups', key.key)).toEqual({
      kind: 'read-only',
      begins: key.key.slice(0, 8),
      created,
    })
    const keys = await json<unknown[]>('key', 'list', made.id)
    expect(keys).toHaveLength(3)
    expect(keys).toContainEqual({ kind: 'read-write', begins: made.api_key.slice(0, 8), created })

    const hook = {
      method_down: 'GET',
      url_down: 'https://example.org',
      body_down: '',
      headers_down: {},
      method_up: 'GET',
      url_up: '',
      body_up: '',
      headers_up: {},
    }
    const channel = await json<{ id: string }>(
      'channel',
      'create',
      '--project',
      made.id,
      '--kind',
      'webhook',
      '--name',
      'Hook',
      '--settings',
      JSON.stringify(hook),
    )
    expect(channel).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'Hook', kind: 'webhook' } as never)
    expect(await json<unknown>('channel', 'list', '--project', 'Back ups')).toEqual([{ ...channel, status: 'ready' }])

    const inBackUps = ['--project', 'Back ups']
    expect(await json<unknown>('channel', 'set', 'Hook', '--name', 'Ops', ...inBackUps)).toEqual({
      ...channel,
      name: 'Ops',
    } as never)
    expect(await json<unknown>('channel', 'delete', channel.id, ...inBackUps)).toEqual({
      ...channel,
      name: 'Ops',
    } as never)
    expect(await json<unknown>('channel', 'list', ...inBackUps)).toEqual([])
  })

  test('of migrate tells the file', async () => {
    expect(await json<unknown>('migrate')).toEqual({ database: join(place.path, 'o.db') })
  })
})

describe('what cannot be done is told in a sentence, and ends with 1', () => {
  async function complaint(...words: string[]): Promise<string> {
    const { code, out, err } = await overdue(...words)
    expect({ code, out, stack: err.includes('    at ') }).toEqual({ code: 1, out: '', stack: false })
    return err
  }

  test('a project of the same name', async () => {
    expect((await overdue('project', 'create', 'Twice')).code).toBe(0)
    expect(await complaint('project', 'create', 'Twice')).toBe('there is a project named "Twice" already\n')
  })

  test.concurrent.each([
    [['project', 'create', ' '], 'a project needs a name'],
    [['project', 'create', 'x'.repeat(201)], 'a project needs a name'],
    [['project', 'set', 'nobody', '--ping-log-limit', '5'], 'there is no project "nobody"'],
    [['project', 'set', 'Twice'], 'nothing to set'],
    [['project', 'set', 'Twice', '--ping-log-limit', '0'], 'a whole number from 1 to 1000'],
    [['project', 'set', 'Twice', '--ping-log-limit', ''], 'a whole number from 1 to 1000'],
    [['key', 'create', 'Twice', '--kind', 'master'], 'unknown kind of key "master"'],
    [['key', 'revoke', 'Twice', 'odw_'], 'no key of project "Twice" starts with that'],
    [['key', 'revoke', 'Twice', ''], 'no key of project'],
    [
      ['channel', 'create', '--project', 'Twice', '--kind', 'webhook', '--settings', '{'],
      '--settings is not valid JSON',
    ],
    [
      ['channel', 'create', '--project', 'Twice', '--kind', 'webhook', '--settings', '{}'],
      'a webhook needs {"url": "https://…"}',
    ],
    [['channel', 'create', '--project', 'Twice', '--kind', 'pigeon', '--settings', '{}'], 'unknown kind "pigeon"'],
    [['channel', 'list'], '--project is missing'],
    [['channel', 'create', '--name', 'x'], '--project, --kind, and --settings are missing'],
    [['channel', 'set', 'Hook', '--project', 'Twice'], 'nothing to change'],
    [['channel', 'set', 'Hook', '--project', 'Twice', '--settings', '{'], '--settings is not valid JSON'],
    [['channel', 'delete', 'Nobody', '--project', 'Twice'], 'has no channel "Nobody"'],
  ])('%j', async (words, message) => {
    expect(await complaint(...words)).toContain(message)
  })
})

describe('a database that cannot be used', () => {
  test.each([
    ['is a folder', 'folder', 'DATABASE_URL names a folder'],
    ['is no database', 'text', 'file is not a database'],
    ['lies below a file', 'text/below/o.db', 'ENOTDIR'],
    ['lies where nothing can be written', '/proc/overdue/o.db', '/proc/overdue'],
  ])('because it %s', async (_, name, message) => {
    mkdirSync(join(place.path, 'folder'), { recursive: true })
    writeFileSync(join(place.path, 'text'), 'this is a text and no database'.repeat(100))
    const path = name.startsWith('/') ? name : join(place.path, name)
    for (const words of [['project', 'create', 'X'], ['serve']]) {
      const { code, out, err } = await run(words, { DATABASE_URL: `sqlite:${path}`, PORT: '0' })
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toStartWith(`cannot use the database ${path}: `)
      expect(err).toContain(message)
      expect(err).toMatch(/\n→ [^\n]+\n$/)
    }
  })

  test('with another SECRET_KEY than before', async () => {
    const { code, err } = await run(['project', 'list'], { DATABASE_URL, SECRET_KEY: 'another secret altogether' })
    expect(code).toBe(1)
    expect(err).toContain('SECRET_KEY')
    expect(err).not.toContain('another secret')
  })
})

test('check-config shows every setting but the secrets, and touches no database', async () => {
  const empty = folder()
  const settings = {
    DATABASE_URL: empty.url,
    SECRET_KEY: 'a secret of some length',
    EMAIL_HOST_PASSWORD: 'hunter2',
    PORT: '81',
    PING_LOG_LIMITT: '5',
  }
  for (const words of [['check-config'], ['check-config', '--json']]) {
    const { code, out, err } = await run(words, settings)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const shown of ['PORT', '81', 'environment', 'SECRET_KEY', '(set)', 'PING_LOG_LIMITT'])
      expect(out).toContain(shown)
    expect(out).not.toContain('a secret of')
    expect(out).not.toContain('hunter2')
  }
  expect(readdirSync(empty.path)).toEqual([])
  empty.remove()
})
