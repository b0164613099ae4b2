import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ran, run } from '../support/command-line.ts'
import { testDatabase } from '../support/databases.ts'
import type { TestDatabase } from '../support/opened-stores.ts'
import { type Folder, folder, startProcess } from './support.ts'

let database: TestDatabase
let place: Folder
let DATABASE_URL: string
beforeAll(async () => {
  database = await testDatabase()
  place = folder()
  DATABASE_URL = database.url
  expect((await run(['project', 'create', 'Listed'], { DATABASE_URL })).code).toBe(0)
})
afterAll(async () => {
  place.remove()
  await database.remove()
})

const overdue = (...words: string[]): Promise<Ran> => run(words, { DATABASE_URL })

async function json<Answer>(...words: string[]): Promise<Answer> {
  const { code, out, err } = await overdue(...words, '--json')
  expect({ code, err, lines: out.trimEnd().split('\n').length }).toEqual({ code: 0, err: '', lines: 1 })
  return JSON.parse(out) as Answer
}

const COMMANDS = [
  'status',
  'log',
  'search',
  'check list',
  'check show',
  'check create',
  'check pause',
  'check resume',
  'check delete',
  'check set',
  'ping',
  'completion',
  'help',
  'version',
  'serve',
  'migrate',
  'check-config',
  'health',
  'instances',
  'project create',
  'project list',
  'project set',
  'project member add',
  'project member invite',
  'project member remove',
  'project member list',
  'account link',
  'account create',
  'account list',
  'account reset',
  'account delete',
  'account suspend',
  'account unsuspend',
  'account sign-out',
  'audit list',
  'audit export',
  'key create',
  'key list',
  'key revoke',
  'channel create',
  'channel list',
  'channel set',
  'channel delete',
  'channel test',
  'delivery list',
  'delivery show',
  'delivery retry',
  'backup',
  'restore',
  'mail test',
  'report list',
  'report show',
  'schedule',
]

describe('--help', () => {
  test('of every command shows its usage, and reads neither settings nor the database', async () => {
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
  }, 120_000)

  test('without a command lists every command, and so do no words at all', async () => {
    for (const words of [[], ['--help'], ['-h']]) {
      const { code, out } = await run(words)
      expect(code).toBe(0)
      for (const command of COMMANDS) expect(out).toContain(`  ${command} `)
      for (const title of ['Daily work', 'Checks', 'Alerts', 'Projects and people', 'Server', 'Moving in']) {
        expect(out).toContain(`\n\n${title}:\n  `)
      }
      expect(out).toContain('\nExamples:\n  overdue status\n')
      expect(out).toContain('\nEvery command has --help. With --json, a command prints JSON.\n')
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
    expect(out).toContain('\nExamples:\n  overdue key create ')
  })

  test('of a group in a group lists the commands of that one only', async () => {
    const { code, out } = await run(['project', 'member', '--help'])
    expect(code).toBe(0)
    expect(out).toContain('  project member add ')
    expect(out).not.toContain('project create')
    expect(await run(['help', 'project', 'member'])).toEqual({ code, out, err: '' })
  })
})

describe('a mistake in the command line has exit status 2', () => {
  test.each([
    [['nonsense'], 'unknown command "nonsense"'],
    [['project', 'destroy'], 'unknown command "project destroy"'],
    [['project', 'member', 'destroy'], 'unknown command "project member destroy"'],
    [['project', 'member', 'add', 'P'], 'missing EMAIL. Usage: overdue project member add PROJECT EMAIL'],
    [['help', 'nonsense'], 'unknown command "nonsense"'],
    [['project', 'list', '--nope'], 'unknown option --nope'],
    [['project', 'list', '-x'], 'unknown option -x'],
    [['project', 'create'], 'missing NAME. Usage: overdue project create NAME [--json]'],
    [['key', 'revoke'], 'missing PROJECT and KEY. Usage: overdue key revoke PROJECT KEY [--json]'],
    [['key', 'revoke', 'a', 'b', 'c'], 'unexpected argument "c". Usage: overdue key revoke PROJECT KEY [--json]'],
    [['project', 'list', '--json=x'], 'option --json does not take a value'],
    [['channel', 'list', '--project'], 'option --project needs a value'],
    [['channel', 'test', 'x', '--project', '--status'], 'option --project needs a value, not --status'],
    [['check', 'create', '--project', 'P'], '--name is missing'],
    [['report', 'show'], '--period is missing'],
    [['channel', 'create'], '--kind and --settings are missing'],
    [['search'], 'missing WORDS'],
  ])('%j', async (words, message) => {
    const { code, out, err } = await overdue(...words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).toMatch(/→ .*see `overdue .*--help`/)
    expect(err.trimEnd().split('\n')).toHaveLength(2)
  })

  test.each([
    [['project', 'set', 'Listed'], 'nothing to set'],
    [['project', 'set', 'Listed', '--tz', 'Riga'], 'unknown time zone "Riga"'],
    [['project', 'set', 'Listed', '--ping-log-limit', '0'], 'a whole number from 1 to 1000'],
    [['project', 'set', 'Listed', '--ping-log-limit', ''], 'a whole number from 1 to 1000'],
    [['key', 'create', 'Listed', '--kind', 'master'], 'unknown kind of key "master"'],
    [['project', 'member', 'add', 'Listed', 'a@b.c', '--role', 'boss'], 'unknown role "boss"'],
    [
      ['channel', 'create', '--project', 'Listed', '--kind', 'no-such-kind', '--settings', '{}'],
      'unknown kind "no-such-kind"',
    ],
    [
      ['channel', 'create', '--project', 'Listed', '--kind', 'webhook', '--settings', '{'],
      '--settings is not valid JSON',
    ],
    [['channel', 'set', 'Hook', '--project', 'Listed'], 'nothing to change'],
    [
      ['channel', 'set', 'Hook', '--project', 'Listed', '--settings', '{'],
      '→ check its brackets, commas and double quotes',
    ],
    [['channel', 'set', 'Hook', '--project', 'Listed', '--settings', 'a@b.c'], '→ put a JSON string in double quotes'],
    [['check', 'create', '--project', 'Listed', '--name', ''], '--name is empty'],
    [['check', 'create', '--project', 'Listed', '--name', 'x', '--grace', '1'], '--grace'],
    [['delivery', 'list', '--project', 'Listed', '--limit', '0'], '--limit 0 is not valid'],
    [['report', 'show', '--project', 'Listed', '--period', 'hourly'], 'unknown period "hourly"'],
  ])('%j, in the value of an option', async (words, message) => {
    const { code, out, err } = await overdue(...words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
  })

  test('a missing option names the command whose help lists it', async () => {
    expect((await overdue('check', 'create')).err).toBe('--name is missing\n→ see `overdue check create --help`\n')
  })
})

test.each([
  [['check', 'show', 'x', '--project', "It's $HOME"], 'check list'],
  [['channel', 'set', 'x', '--name', 'y', '--project', "It's $HOME"], 'channel list'],
  [['check', 'create', '--name', 'x', '--channels', 'x', '--project', "It's $HOME"], 'channel list'],
  [['key', 'revoke', "It's $HOME", 'odw_brK'], 'key list'],
  [['project', 'member', 'remove', "It's $HOME", 'jane@example.org'], 'project member list'],
])('the command in the hint of %j works as it is printed', async (words, command) => {
  await overdue('project', 'create', "It's $HOME")
  const { hint } = JSON.parse((await overdue(...words, '--json')).err)
  const [, printed = ''] = /`overdue (.+)`/.exec(hint) ?? []
  expect(printed).toStartWith(command)
  const split = await Bun.spawn(['sh', '-c', `printf '%s\\n' ${printed}`]).stdout.text()
  expect((await overdue(...split.trimEnd().split('\n'))).code).toBe(0)
})

describe('a mistyped command', () => {
  test.each([
    [['projct', 'list'], 'did you mean `overdue project list`?'],
    [['project', 'lsit'], 'did you mean `overdue project list`?'],
    [['project', 'membr', 'add', 'P'], 'did you mean `overdue project member add`?'],
    [['project', 'member', 'ad', 'P'], 'did you mean `overdue project member add`?'],
    [['create', 'project', 'X'], 'did you mean `overdue project create`?'],
    [['sevre'], 'did you mean `overdue serve`?'],
    [['backup', 'file', '--froce'], 'did you mean --force?'],
    [['checks', 'list'], 'did you mean `overdue check list`?'],
  ])('%j is answered with a suggestion', async (words, question) => {
    const { code, err } = await run(words)
    expect(code).toBe(2)
    expect(err).toContain(`→ ${question}`)
  })

  test.each(['checks', 'chekc', 'keys'])('%s, close to a group, gets the commands of that group', async (word) => {
    const { code, err } = await run([word])
    expect(code).toBe(2)
    expect(err).toStartWith(
      `unknown command "${word}"; did you mean one of these:\n  ${word === 'keys' ? 'key' : 'check'} `,
    )
    expect(err).toMatch(/\n→ see `overdue (?:check|key) --help`\n$/)
  })

  test('gets no suggestion when no command is close', async () => {
    expect((await run(['frobnicate'])).err).toBe('unknown command "frobnicate"\n→ see `overdue --help`\n')
  })
})

test('a group without a command lists its commands, with exit status 2', async () => {
  const { code, out, err } = await run(['project'])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toStartWith('missing command after "project":\n  project create  ')
  expect(err).toContain('\n  project set ')
  expect(err).toEndWith('\n→ see `overdue project --help`\n')
  expect((await run(['project', 'member'])).err).toStartWith(
    'missing command after "project member":\n  project member add  ',
  )
})

test.each([
  [['check', '--project', 'Default'], 'missing command after "check":\n  check list  '],
  [['--json', 'check'], '{"error":"missing command after \\"check\\""'],
  [['--json'], '{"error":"missing command","hint":"see `overdue --help`","code":"usage"}'],
])('%j lacks a command, and its options are no commands', async (words, message) => {
  const { code, out, err } = await run(words)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toStartWith(message)
})

describe('--project', () => {
  const list = (url: string, ...words: string[]) => run(['check', 'list', ...words], { DATABASE_URL: url })

  test('may be left out where there is one project, and only there', async () => {
    const own = folder()
    expect((await run(['migrate'], { DATABASE_URL: own.url })).code).toBe(0)
    expect(await list(own.url)).toEqual({
      code: 2,
      out: '',
      err: 'there is no project yet\n→ create one with `overdue project create NAME`\n',
    })
    await run(['project', 'create', 'One'], { DATABASE_URL: own.url })
    expect(await list(own.url)).toEqual(await list(own.url, '--project', 'One'))
    await run(['project', 'create', 'Two\u001b[2J'], { DATABASE_URL: own.url })
    expect(await list(own.url)).toEqual({
      code: 2,
      out: '',
      err: [
        '--project is missing, and there are several projects:',
        '  One',
        '  Two[2J',
        '→ use --project with the name or the id of one; see `overdue project list`',
        '',
      ].join('\n'),
    })
    own.remove()
  })

  test('that is missing names ten projects at most', async () => {
    const own = folder()
    await run(['migrate'], { DATABASE_URL: own.url })
    for (let n = 1; n <= 12; n++) await run(['project', 'create', `P${n}`], { DATABASE_URL: own.url })
    const { err } = await list(own.url)
    expect(err.split('\n').slice(10, 12)).toEqual(['  P10', '  and 2 more'])
    own.remove()
  }, 30_000)
})

test.each([
  [['check', 'list', '--project', 'listed'], 'did you mean "Listed"?'],
  [['check', 'show', 'NIGHTLY', '--project', 'Listed'], 'did you mean "Nightly"?'],
  [['channel', 'test', 'hoook', '--project', 'Listed'], 'did you mean "Hook"?'],
])('%j is answered with the name that is close', async (words, question) => {
  await overdue('check', 'create', '--project', 'Listed', '--name', 'Nightly')
  const hook = ['--kind', 'webhook', '--name', 'Hook', '--settings', '{"url": "https://example.org"}']
  await overdue('channel', 'create', '--project', 'Listed', ...hook)
  const { code, err } = await overdue(...words)
  expect(code).toBe(1)
  expect(err).toContain(`→ ${question} Otherwise see`)
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

  test('with its code and facts, for programs', async () => {
    const told = async (...words: string[]) => JSON.parse((await overdue(...words, '--json')).err)
    expect(await told('project', 'set', 'nobody', '--ping-log-limit', '5')).toEqual({
      error: 'there is no project "nobody"',
      code: 'project-not-found',
      name: 'nobody',
      hint: 'see `overdue project list`',
    })
    expect(await told('schedule', 'daily', '--count', '0')).toEqual({
      error: '--count 0 is not valid',
      code: 'out-of-range',
      minimum: 1,
      maximum: 1000,
      hint: 'use a whole number from 1 to 1000',
    })
    expect(await told('project', 'create')).toEqual({
      error: 'missing NAME. Usage: overdue project create NAME [--json]',
      code: 'usage',
      hint: 'see `overdue project create --help`',
    })
  })

  test('of the settings, with each problem', async () => {
    const { code, err } = await run(['check-config', '--json'], { PORT: 'x', LOG_LEVEL: 'loud' })
    expect(code).toBe(2)
    const { problems, ...rest } = JSON.parse(err)
    expect(rest).toEqual({ error: 'the settings are not valid', code: 'settings', hint: null })
    expect(problems.map((problem: string) => problem.split(':')[0])).toEqual(['PORT', 'LOG_LEVEL'])
  })
})

test('all problems of the settings are reported at once, with exit status 2', async () => {
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

test('a project is deleted with what it holds, and no other one', async () => {
  for (const name of ['Kept', 'Gone']) {
    await json('project', 'create', name)
    await json('check', 'create', '--project', name, '--name', 'Backup')
  }
  expect(await json<unknown>('project', 'delete', 'Gone', '--yes')).toMatchObject({ name: 'Gone' })
  const names = (await json<{ name: string }[]>('project', 'list')).map(({ name }) => name)
  expect(names).toContain('Kept')
  expect(names).not.toContain('Gone')
  expect(await json<unknown[]>('check', 'list', '--project', 'Kept')).toHaveLength(1)
})

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
    expect(
      await json<unknown>(
        'project',
        'set',
        'Back ups',
        '--ping-log-limit',
        '7',
        '--search',
        'off',
        '--tz',
        'Europe/Kiev',
      ),
    ).toEqual({
      id: made.id,
      name: 'Back ups',
      ping_log_limit: 7,
      search: false,
      tz: 'Europe/Kyiv',
    })
    expect(await json<unknown[]>('project', 'list')).toContainEqual({
      id: made.id,
      name: 'Back ups',
      ping_log_limit: 7,
      search: false,
      tz: 'Europe/Kyiv',
    })

    const key = await json<{ key: string }>('key', 'create', made.id, '--kind', 'read-only', '--name', 'wall')
    expect(key).toEqual({ kind: 'read-only', key: expect.stringMatching(/^odr_[A-Za-z0-9]{28}$/) } as never)
    const created = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
    expect(await json<unknown>('key', 'revoke', 'Back ups', key.key)).toEqual({
      kind: 'read-only',
      name: 'wall',
      begins: key.key.slice(0, 8),
      created,
      last_used: null,
      used_by: null,
    })
    const keys = await json<unknown[]>('key', 'list', made.id)
    expect(keys).toHaveLength(3)
    const unused = { name: '', created, last_used: null, used_by: null }
    expect(keys).toContainEqual({ kind: 'read-write', begins: made.api_key.slice(0, 8), ...unused })
    expect(keys).toContainEqual(expect.objectContaining({ kind: 'ping', used_by: { checks: 0, of: 0 } }))
    const { out } = await overdue('key', 'list', made.id)
    expect(out).toMatch(/LAST USED +LAST 7 DAYS +NAME\n/)
    expect(out).toMatch(/ ping +\S+ +- +0 of 0 checks/)

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
    const { notes, ...channel } = await json<{ id: string; notes: string[] }>(
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
    expect({ notes, ...channel }).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Hook',
      kind: 'webhook',
      quiet_hours: null,
      notes: [],
    } as never)
    expect(await json<unknown>('channel', 'list', '--project', 'Back ups')).toEqual([{ ...channel, status: 'ready' }])

    const inBackUps = ['--project', 'Back ups']
    expect(await json<unknown>('channel', 'set', 'Hook', '--name', 'Ops', ...inBackUps)).toEqual({
      ...channel,
      name: 'Ops',
      notes: [],
    } as never)
    expect(await json<unknown>('channel', 'delete', channel.id, ...inBackUps)).toEqual({
      ...channel,
      name: 'Ops',
    } as never)
    expect(await json<unknown>('channel', 'list', ...inBackUps)).toEqual([])
  })

  test('of migrate names the database', async () => {
    expect(await json<unknown>('migrate')).toEqual({ database: database.url.replace(/^sqlite:/, '') })
  })
})

describe('a command that fails says why in a sentence, with exit status 1', () => {
  async function complaint(...words: string[]): Promise<string> {
    const { code, out, err } = await overdue(...words)
    expect({ code, out, stack: err.includes('    at ') }).toEqual({ code: 1, out: '', stack: false })
    return err
  }

  test('a project of the same name', async () => {
    expect((await overdue('project', 'create', 'Twice')).code).toBe(0)
    expect(await complaint('project', 'create', 'Twice')).toBe(
      'a project named "Twice" already exists\n→ use another name, or the project that exists; see `overdue project list`\n',
    )
  })

  test.each([
    [['project', 'create', ' '], 'a project needs a name'],
    [['project', 'create', 'x'.repeat(201)], 'a project needs a name'],
    [['project', 'set', 'nobody', '--ping-log-limit', '5'], 'there is no project "nobody"'],
    [['key', 'revoke', 'Twice', 'odw_brK'], '"odw_brK" is too short\n→ use the whole key, or its first 8 characters'],
    [['key', 'revoke', 'Twice', ''], '"" is too short'],
    [['key', 'revoke', 'Twice', 'odw_brKeee'], 'project "Twice" has no such key'],
    [
      ['channel', 'create', '--project', 'Twice', '--kind', 'webhook', '--settings', '{}'],
      'a webhook needs {"url": "https://…"}',
    ],
    [['channel', 'delete', 'Nobody', '--project', 'Twice'], 'has no channel "Nobody"'],
  ])('%j', async (words, message) => {
    expect(await complaint(...words)).toContain(message)
  })
})

describe('a database cannot be used', () => {
  test.each([
    ['is a folder', 'folder', 'DATABASE_URL points to a folder'],
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

test('check-config refuses a database or backups at a path that cannot hold them', async () => {
  const place = folder()
  const file = join(place.path, 'file')
  writeFileSync(file, '')
  const inFolder = await run(['check-config'], { DATABASE_URL: `sqlite:${place.path}` })
  expect(inFolder).toMatchObject({ code: 1, out: '' })
  expect(inFolder.err).toStartWith(`cannot use the database ${place.path}: DATABASE_URL points to a folder\n→ `)
  const below = await run(['check-config'], { DATABASE_URL: `sqlite:${file}/o.db` })
  expect(below.err).toStartWith(`cannot use the database ${file}/o.db: `)
  expect(await run(['check-config'], { BACKUP_DIRECTORY: file })).toEqual({
    code: 2,
    out: '',
    err: `the settings are not valid:\n  BACKUP_DIRECTORY: ${file} is not a folder; use another name\n`,
  })
  place.remove()
})

test('check-config and the start warn about what is valid, but probably not meant', async () => {
  const settings = { DATABASE_URL: 'sqlite::memory:', PORT: '0', LOG_LEVEL: 'warning' }
  const warning = 'the database is in memory: everything is lost when the server stops'
  expect((await run(['check-config'], settings)).out).toContain(`\n${warning}\n`)
  expect(JSON.parse((await run(['check-config', '--json'], settings)).out).warnings).toEqual([warning])
  const server = await startProcess(settings)
  expect((await server.stop('SIGTERM')).err).toContain(warning)
})

test('check-config shows every setting without secrets, and leaves the database alone', async () => {
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
