/** `overdue channel test` against a receiver on this machine: a group, and refusals. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { run, runOnTerminal } from '../../support/command-line.ts'
import { testDatabase } from '../../support/databases.ts'
import { environment } from '../../support/environment.ts'
import type { TestDatabase } from '../../support/opened-stores.ts'
import { FROM_SOURCE } from '../../support/served.ts'
import { webhook } from '../../support/store-builders.ts'

let place: TestDatabase
let receiver: ReturnType<typeof Bun.serve>
beforeEach(async () => {
  place = await testDatabase()
  const answer = (path: string) => new Response(null, { status: path === '/two' ? 503 : 200 })
  receiver = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: ({ url }) => answer(new URL(url).pathname) })
})
afterEach(async () => {
  await receiver.stop(true)
  await place.remove()
})

const overdue = (...words: string[]) => run(words, { DATABASE_URL: place.url, INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True' })

async function create(kind: string, name: string, settings: unknown): Promise<string> {
  const of = ['--project', 'P', '--kind', kind, '--name', name, '--settings', JSON.stringify(settings)]
  const { out, err } = await overdue('channel', 'create', '--json', ...of)
  expect(err).toBe('')
  return JSON.parse(out).id
}

test('the members of a group are tested one by one, and the test fails if one fails', async () => {
  await overdue('project', 'create', 'P')
  const one = await create('webhook', 'one', webhook(`${receiver.url}one`))
  const two = await create('webhook', 'two', webhook(`${receiver.url}two`))
  await create('group', 'both', `${one},${two}`)
  await create('group', 'good', one)
  const both = await overdue('channel', 'test', 'both', '--project', 'P')
  expect(both).toEqual({
    code: 1,
    out: [
      `${one}  webhook  one  accepted by the receiver`,
      `${two}  webhook  two  failed: Received status code 503`,
      '1 of 2 accepted the message',
      '',
    ].join('\n'),
    err: '',
  })
  const good = await overdue('channel', 'test', 'good', '--project', 'P', '--json')
  expect(good.code).toBe(0)
  expect(JSON.parse(good.out)).toMatchObject({
    name: 'good',
    members: [{ id: one, name: 'one', kind: 'webhook', error: null }],
  })
})

test('a test says that it waits for a slow receiver', async () => {
  const answer = Promise.withResolvers<Response>()
  const slow = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => answer.promise })
  await overdue('project', 'create', 'P')
  await create('webhook', 'slow', webhook(String(slow.url)))
  const words = [...FROM_SOURCE.command, 'channel', 'test', 'slow', '--project', 'P']
  const child = Bun.spawn(words, {
    cwd: FROM_SOURCE.cwd,
    env: environment({ DATABASE_URL: place.url, INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True' }),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const first = await child.stderr.getReader().read()
  expect(new TextDecoder().decode(first.value)).toBe('waiting for the receiver, at most 30 seconds…\n')
  answer.resolve(new Response())
  expect(await child.stdout.text()).toBe('accepted by the receiver\n')
  await slow.stop(true)
})

describe('a channel that needs a setting that is not set for this command', () => {
  const bare = (...words: string[]) => run([...words, '--project', 'P'], { DATABASE_URL: place.url })
  const needs =
    'needs a mail server, of Administration › Mail or of EMAIL_HOST in the environment of the server (neither is set here)'

  test('is listed with that setting, without claims about the server', async () => {
    await overdue('project', 'create', 'P')
    const id = await create('email', 'Mail', 'ops@example.org')
    expect((await bare('channel', 'list')).out).toContain(`Mail  ${needs}\n`)
    const set = await bare('channel', 'set', 'Mail', '--name', 'Post')
    expect(set.out).toBe(`changed email channel ${id}\n→ stored, but it ${needs}\n`)
    const again = await bare('channel', 'set', 'Post', '--name', 'Post', '--json')
    expect(JSON.parse(again.out).notes).toEqual([`stored, but it ${needs}`])
    const tested = await bare('channel', 'test', 'Post')
    expect(tested.err).toBe(
      'the channel cannot be tested without a mail server\n→ enter it at Administration › Mail, or run this command with the settings of the server: EMAIL_HOST is not set here\n',
    )
  })
})

test('a test without a mail server keeps the status of a channel that awaits its confirmation', async () => {
  await overdue('project', 'create', 'P')
  const settings = { DATABASE_URL: place.url, REGISTRATION_OPEN: 'True', EMAIL_HOST: '127.0.0.1', EMAIL_PORT: '1' }
  const of = ['--project', 'P', '--kind', 'email', '--name', 'Mail', '--settings', '"ops@example.org"']
  await run(['channel', 'create', ...of], settings)
  const before = await run(['channel', 'list', '--project', 'P'], settings)
  expect(before.out).toContain('The confirmation email was not sent')
  expect((await run(['channel', 'test', 'Mail', '--project', 'P'], { DATABASE_URL: place.url })).code).toBe(1)
  expect(await run(['channel', 'list', '--project', 'P'], settings)).toEqual(before)
})

test('channel create reports all mistakes at once, and what is right', async () => {
  await overdue('project', 'create', 'P')
  const settings = JSON.stringify({ ...webhook(), method_up: '', url_down: 'nowhere' })
  const of = ['--project', 'P', '--kind', 'webhook', '--name', 'x'.repeat(101), '--settings', settings]
  const { code, err } = await overdue('channel', 'create', ...of)
  expect([code, err.split('\n')]).toEqual([
    1,
    [
      'the webhook channel is not valid:',
      '  the name is too long (at most 100 characters)',
      '  in the settings, url_down is not a URL such as https://example.org/hook',
      '  in the settings, method_up is not one of the allowed values (GET, POST, or PUT)',
      expect.stringMatching(/^→ a webhook needs .*; see docs\/channels\.md for the fields of each kind$/),
      '',
    ],
  ])
})

test('two channels with the same name are told apart by their ids, which the hints print', async () => {
  await overdue('project', 'create', 'P')
  const first = await create('webhook', 'Ops', webhook())
  const of = ['--project', 'P', '--kind', 'webhook', '--name', 'Ops', '--settings', JSON.stringify(webhook())]
  const { out } = await overdue('channel', 'create', ...of)
  const [, second = ''] = /^created webhook channel (\S+)$/m.exec(out) ?? []
  expect(out).toContain(`→ webhook channel ${first} has the same name: refer to each channel by its id\n`)
  const third = JSON.parse((await overdue('channel', 'create', '--json', ...of)).out)
  expect(third.notes).toEqual([`webhook channel ${first} has the same name: refer to each channel by its id`])
  await overdue('channel', 'delete', third.id, '--project', 'P')
  const { code, err } = await overdue('channel', 'delete', 'Ops', '--project', 'P')
  expect([code, err.split('\n')]).toEqual([
    1,
    [
      'project "P" has several channels "Ops":',
      `  ${first}  webhook`,
      `  ${second}  webhook`,
      '→ use one of these ids',
      '',
    ],
  ])
  expect((await overdue('channel', 'delete', second, '--project', 'P')).code).toBe(0)
  expect((await overdue('channel', 'set', 'Ops', '--name', 'Only', '--project', 'P')).code).toBe(0)
})

test('a channel without a name is listed with a hyphen', async () => {
  await overdue('project', 'create', 'P')
  await create('webhook', '', webhook())
  expect((await overdue('channel', 'list', '--project', 'P')).out).toMatch(/ {2}webhook {2}- +ready\n$/)
})

test('channel delete asks on a terminal', async () => {
  await overdue('project', 'create', 'P')
  await create('webhook', 'Ops', webhook())
  const words = ['channel', 'delete', 'Ops', '--project', 'P']
  const kept = await runOnTerminal(words, { DATABASE_URL: place.url }, 80, false)
  expect([kept.code, kept.out]).toEqual([1, expect.stringContaining('Delete the webhook channel "Ops"?')])
  expect((await runOnTerminal(words, { DATABASE_URL: place.url }, 80, true)).code).toBe(0)
  expect((await overdue('channel', 'list', '--project', 'P')).out).not.toContain('Ops')
})

test('a receiver on a private address is refused with the setting that allows it, but not in JSON, and the channel keeps its status', async () => {
  await overdue('project', 'create', 'P')
  const one = await create('webhook', 'one', webhook(`${receiver.url}one`))
  await create('group', 'both', one)
  const strict = (...words: string[]) => run([...words, '--project', 'P'], { DATABASE_URL: place.url })
  const error = 'Connections to private IP addresses are not allowed'
  const advice = /\n→ .*INTEGRATIONS_ALLOW_PRIVATE_IPS=True.*docs\/settings\.md\n$/
  const tested = await strict('channel', 'test', 'one')
  expect(tested.code).toBe(1)
  expect(tested.out).toStartWith(
    `failed: ${error}\nThis command refused the address. The status of the channel is unchanged.\n→ `,
  )
  expect(tested.out).toMatch(advice)
  expect((await strict('channel', 'test', 'both')).out).toMatch(advice)
  expect((await strict('channel', 'list')).out).toContain('one   ready\n')
  expect(JSON.parse((await strict('channel', 'test', 'one', '--json')).out).error).toBe(error)
})

describe('quiet hours', () => {
  const bare = (...words: string[]) => run([...words, '--project', 'P'], { DATABASE_URL: place.url })
  const list = async () => JSON.parse((await bare('channel', 'list', '--json')).out)
  const NIGHT = { schedule: '22:00', tz: 'Europe/Riga', duration: 32_400, up_to: 'down' }

  test('are given to a new channel, listed, changed and removed', async () => {
    await overdue('project', 'create', 'P')
    const settings = ['--kind', 'webhook', '--name', 'Ops', '--settings', JSON.stringify(webhook())]
    const night = ['--quiet-from', '22:00', '--quiet-until', '7:00', '--quiet-tz', 'Europe/Riga']
    const made = await bare('channel', 'create', ...settings, ...night, '--json')
    expect(JSON.parse(made.out)).toMatchObject({ name: 'Ops', quiet_hours: NIGHT })
    expect((await bare('channel', 'list')).out).toMatch(/STATUS {2}QUIET\n.*ready {3}22:00–07:00 \(Europe\/Riga\)\n$/)
    await bare('channel', 'set', 'Ops', '--name', 'Chat')
    expect(await list()).toMatchObject([{ name: 'Chat', quiet_hours: NIGHT }])
    await bare('channel', 'set', 'Chat', '--quiet-from', '0 18 * * 5', '--quiet-until', '62h')
    expect(await list()).toMatchObject([
      { quiet_hours: { schedule: '0 18 * * 5', tz: 'UTC', duration: 223_200, up_to: 'down' } },
    ])
    await bare('channel', 'set', 'Chat', '--no-quiet-hours')
    expect(await list()).toMatchObject([{ quiet_hours: null }])
    expect((await bare('channel', 'list')).out).not.toContain('QUIET')
  })

  test.each([
    [['--quiet-from', '22:00'], '--quiet-until is missing', 'Type when it ends, such as 7:00'],
    [['--quiet-until', '7:00'], '--quiet-from is missing', 'Type when it begins, such as 22:00'],
    [['--quiet-from', '25:00', '--quiet-until', '7:00'], '--quiet-from 25:00 is not valid', ''],
    [['--quiet-from', '22:00', '--quiet-until', '22:00'], '--quiet-until 22:00 is not valid', 'Type an earlier end'],
    [
      ['--quiet-from', '22:00', '--quiet-until', '7:00', '--quiet-tz', 'Riga'],
      '--quiet-tz Riga is not valid',
      'time zone',
    ],
    [['--quiet-from', '22:00', '--no-quiet-hours'], '--no-quiet-hours cannot be combined', ''],
  ])('with %j are refused with the option to change', async (options, message, hint) => {
    const { code, err } = await bare('channel', 'set', 'Ops', ...options)
    expect(code).toBe(2)
    expect(err).toContain(message)
    expect(err).toContain(hint)
  })

  test('are not for groups', async () => {
    await overdue('project', 'create', 'P')
    const one = await create('webhook', 'one', webhook())
    await create('group', 'both', one)
    const refused = await bare('channel', 'set', 'both', '--quiet-from', '22:00', '--quiet-until', '7:00')
    expect(refused.err).toContain('a group has no quiet hours')
    expect(refused.err).toContain('give them to its members')
  })
})
