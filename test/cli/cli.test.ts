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

  test('of a group lists its commands only', async () => {
    const { code, out } = await run(['key', '--help'])
    expect(code).toBe(0)
    expect(out).toContain('key revoke')
    expect(out).not.toContain('project list')
  })
})

describe('a mistake in the command line ends with 2', () => {
  test.concurrent.each([
    [['nonsense'], 'there is no command "nonsense"'],
    [['project'], 'there is no command "project"'],
    [['project', 'destroy'], 'there is no command "project destroy"'],
    [['project', 'list', '--nope'], "Unknown option '--nope'"],
    [['project', 'create'], 'not understood: overdue project create NAME [--json]'],
    [['key', 'revoke', 'a', 'b', 'c'], 'not understood: overdue key revoke PROJECT KEY [--json]'],
    [['project', 'list', '--json=x'], "Option '--json' does not take an argument"],
  ])('%j', async (words, message) => {
    const { code, out, err } = await overdue(...words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).toMatch(/→ overdue .*--help/)
    expect(err.trimEnd().split('\n')).toHaveLength(2)
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
      'The settings are not right',
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
    [['key', 'revoke', 'Twice', 'odw_'], 'no key of project'],
    [['key', 'revoke', 'Twice', ''], 'no key of project'],
    [['channel', 'create', '--project', 'Twice', '--kind', 'webhook', '--settings', '{'], '--settings is no JSON'],
    [
      ['channel', 'create', '--project', 'Twice', '--kind', 'webhook', '--settings', '{}'],
      'a webhook needs {"url": "https://…"}',
    ],
    [['channel', 'create', '--project', 'Twice', '--kind', 'pigeon', '--settings', '{}'], 'unknown kind "pigeon"'],
    [['channel', 'list'], '--project is missing'],
    [['channel', 'set', 'Hook', '--project', 'Twice'], 'nothing to change'],
    [['channel', 'set', 'Hook', '--project', 'Twice', '--settings', '{'], '--settings is no JSON'],
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
