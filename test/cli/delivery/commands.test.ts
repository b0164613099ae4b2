import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createChannel, getChannel } from '../../../src/services/channels/channels.ts'
import { run } from '../../support/command-line.ts'
import { anAuthor } from '../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let receiver: ReturnType<typeof Bun.serve>
let status = 200
const received: string[] = []

const hook = (url: string) => ({
  method_down: 'POST',
  url_down: url,
  body_down: '$NAME is $STATUS',
  headers_down: {},
  method_up: 'GET',
  url_up: '',
  body_up: '',
  headers_up: {},
})

beforeAll(async () => {
  t = await testApp({ isShared: true, env: { EMAIL_HOST: 'mail.test' } })
  receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      received.push(await request.text())
      return new Response(null, { status })
    },
  })
  const settings = hook(`http://127.0.0.1:${receiver.port}/`)
  await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Hook', settings })
  await createChannel(t.app.deps, t.actor, { kind: 'email', name: 'Mail', settings: 'ops@example.org' })
})

afterAll(async () => {
  await t.close()
  await receiver.stop(true)
})

const overdue = (...words: string[]) =>
  run([...words, '--project', 'Tests'], {
    DATABASE_URL: t.databaseUrl,
    INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True',
  })

describe('overdue channel test', () => {
  test('sends a message about a check named TEST, and says that it was accepted', async () => {
    received.length = 0
    expect(await overdue('channel', 'test', 'Hook')).toMatchObject({ code: 0, out: 'accepted by the receiver\n' })
    expect(received).toEqual(['TEST is down'])
  })

  test('prints the error, with exit status 1, and the channel list shows it until a test succeeds', async () => {
    status = 500
    expect(await overdue('channel', 'test', 'Hook')).toMatchObject({
      code: 1,
      out: 'failed: Received status code 500\n',
    })
    expect((await overdue('channel', 'list')).out).toContain('Received status code 500')
    status = 200
    await overdue('channel', 'test', 'Hook')
    expect((await overdue('channel', 'list')).out).not.toContain('Received status code 500')
  })

  test.each([
    [['Hook', '--status', 'up'], 'this channel sends nothing when a check goes up'],
    [['Hook', '--status', 'late'], 'unknown status "late"'],
    [['Nobody'], 'has no channel "Nobody"'],
    [
      ['Mail'],
      'cannot be tested without a mail server\n→ enter it at Administration › Mail, or run this command with the settings of the server: EMAIL_HOST is not set here',
    ],
  ])('%j is refused with a sentence', async (words, sentence) => {
    const { code, err } = await overdue('channel', 'test', ...words)
    expect(code).toBe(sentence.startsWith('unknown') ? 2 : 1)
    expect(err).toContain(sentence)
  })
})

test('overdue delivery list shows alerts, newest first, with their outcome', async () => {
  const { apiKey: key } = t.keys
  const spec = { name: 'Backup', channels: '*' }
  const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key, json: spec })
  t.answerWith(answered(503))
  const mail = await getChannel(t.app.deps, t.actor, 'Mail')
  await t.app.deps.store.channels.change(mail.id, (channel) => ({ channel: { ...channel, awaitsConfirmation: true } }))
  await t.call('GET', `/ping/${uuid}/fail`)
  await t.app.settle('deliveries')

  const { out } = await overdue('delivery', 'list', '--json')
  const entries: Record<string, unknown>[] = JSON.parse(out)
  const common = {
    id: expect.any(String),
    check: { uuid, name: 'Backup' },
    status: 'down',
    attempts: 1,
    owed_since: '2026-03-04T12:00:00+00:00',
  }
  expect(entries.toSorted((a, b) => String(a.state).localeCompare(String(b.state)))).toEqual([
    {
      ...common,
      channel: { id: expect.any(String), name: 'Mail', kind: 'email' },
      state: 'failed',
      next_attempt: null,
      ended: '2026-03-04T12:00:00+00:00',
      error: 'The address has not been confirmed yet',
    },
    {
      ...common,
      channel: { id: expect.any(String), name: 'Hook', kind: 'webhook' },
      state: 'pending',
      next_attempt: expect.stringMatching(/^2026-03-04T12:00:0\d\+00:00$/),
      ended: null,
      error: 'Received status code 503',
    },
  ])
  const failed = await overdue('delivery', 'list', '--state', 'failed')
  expect(failed.out.split('\n')[1]).toMatch(
    /Backup +down +Mail +failed +1 +- +The address has not been confirmed yet +[0-9a-f]{8}$/,
  )
  expect(failed.out).not.toContain('Hook')
  expect((await overdue('delivery', 'list', '--state', 'lost')).err).toContain('unknown state "lost"')
})

const overdueShow = (...words: string[]) => run(['delivery', 'show', ...words], { DATABASE_URL: t.databaseUrl })

describe('overdue delivery show', () => {
  const hooked = async (): Promise<string> => {
    const entries: { id: string; channel: { name: string } }[] = JSON.parse(
      (await overdue('delivery', 'list', '--json')).out,
    )
    return entries.find(({ channel }) => channel.name === 'Hook')?.id ?? ''
  }

  test('prints the tries, newest first, with what the receiver answered', async () => {
    const id = await hooked()
    const answer = new Headers({ 'content-type': 'text/plain' })
    t.answerWith({ kind: 'answered', status: 500, headers: answer, body: 'first line\nsecond \u001b[31mline' })
    t.clock.advance({ seconds: 60 })
    await t.app.settle('deliveries')
    const { code, out } = await overdueShow(id)
    expect(code).toBe(0)
    const [heads, second, first, ...rest] = out.split('\n')
    expect(heads).toMatch(/^ATTEMPT +BEGAN +TOOK +RESULT +ERROR$/)
    expect(second).toMatch(/^2 +2026-\S+ +\d+ ms +500 .*Received status code 500$/)
    expect(first).toMatch(/^1 +2026-\S+ +\d+ ms +503 .*Received status code 503$/)
    expect(rest.join('\n')).toBe('\nanswer to attempt 2:\ncontent-type: text/plain\n\nfirst line\nsecond [31mline\n')
  })

  test('prints all that is known of them as JSON', async () => {
    const id = await hooked()
    const shown = JSON.parse((await overdueShow(id, '--json')).out)
    expect(shown).toMatchObject({ id, state: 'pending', error: 'Received status code 500' })
    expect(shown.attempts).toEqual([
      {
        n: 2,
        began: expect.stringMatching(/^2026-/),
        seconds: expect.any(Number),
        error: 'Received status code 500',
        answer: expect.objectContaining({ headers: [['content-type', 'text/plain']] }),
      },
      expect.objectContaining({ n: 1, error: 'Received status code 503' }),
    ])
  })
})

describe('overdue delivery retry', () => {
  const retry = (...words: string[]) => run(['delivery', 'retry', ...words], { DATABASE_URL: t.databaseUrl })
  const listed = async (state: string): Promise<{ id: string; attempts: number; error: string | null }[]> =>
    JSON.parse((await overdue('delivery', 'list', '--state', state, '--json')).out)

  test('makes a failed delivery pending again, so that a server sends it, and refuses one that is pending or sent', async () => {
    const mail = await getChannel(t.app.deps, t.actor, 'Mail')
    await t.app.deps.store.channels.change(mail.id, (channel) => ({
      channel: { ...channel, awaitsConfirmation: false },
    }))
    const [failed] = await listed('failed')
    const id = failed?.id ?? ''
    const table = (await overdue('delivery', 'list', '--state', 'failed')).out
    const [, shown = ''] = /([0-9a-f]{8,})\n$/.exec(table) ?? []
    expect(id).toStartWith(shown)

    expect(await retry(shown)).toEqual({
      code: 0,
      out: `delivery ${id} is pending again; a running server sends it now\n`,
      err: '',
    })
    const pending = await retry(id, '--json')
    expect([pending.code, JSON.parse(pending.err).error]).toEqual([1, `delivery ${id} is pending already`])
    t.clock.set(new Date(Date.now() + 60_000).toISOString())
    t.answerMailWith({ kind: 'accepted', response: '250 OK' })
    t.answerWith(answered(200))
    await t.app.settle('deliveries')
    const sent = (await listed('sent')).find((delivery) => delivery.id === id)
    expect(sent).toMatchObject({ attempts: 2, error: null })
    expect((await retry(id)).err).toBe(`delivery ${id} was sent\n→ only failed deliveries can be retried\n`)
  })

  test('says that there is no such delivery, and where they are listed', async () => {
    const { code, err } = await retry('nothing')
    expect([code, err]).toEqual([1, 'there is no delivery "nothing"\n→ see `overdue delivery list --help`\n'])
  })
})

test('overdue delivery list names the setting that allows a private receiver, when one was refused', async () => {
  expect((await overdue('delivery', 'list')).out).not.toContain('→')
  const refused = 'Connections to private IP addresses are not allowed'
  t.answerWith({ kind: 'unreachable', error: refused, permanent: true })
  const spec = { name: 'Inside', channels: '*' }
  const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: spec })
  await t.call('GET', `/ping/${uuid}/fail`)
  await t.app.settle('deliveries')
  const { out } = await overdue('delivery', 'list')
  expect(out).toContain(refused)
  expect(out).toMatch(/\n→ .*INTEGRATIONS_ALLOW_PRIVATE_IPS=True.*\n$/)
})

test('overdue delivery show says that none has ended, or why a delivery was given up later', async () => {
  const spec = { name: 'Untried', channels: '*' }
  const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: spec })
  await t.call('GET', `/ping/${uuid}/fail`)
  const entries = await t.app.deps.store.deliveries.list(t.project.id, 'pending', 10)
  const entry = entries.find(({ checkName, channelName }) => checkName === 'Untried' && channelName === 'Hook')
  const id = entry?.delivery.id ?? ''
  expect((await overdueShow(id)).out).toBe('no attempt has finished yet\n')
  const ann = anAuthor({ kind: 'person', name: 'ann@example.org' })
  expect(await t.app.deps.store.by(ann).deliveries.change(id, 'cancel')).toBe(true)
  expect((await overdueShow(id)).out).toBe('Cancelled by ann@example.org\nno attempt has finished yet\n')
})
