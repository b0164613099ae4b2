/** No secret and no address of a person is in the log or in stored errors. */

import { afterEach, describe, expect, test } from 'bun:test'
import { SMTPServer } from 'smtp-server'
import { createApp } from '../../src/app/app.ts'
import { createDeps } from '../../src/app/deps.ts'
import { readConfig } from '../../src/config/config.ts'
import { createHttpSender } from '../../src/delivery/http.ts'
import { operatorIn } from '../../src/domain/actor.ts'
import type { Channel } from '../../src/domain/channel/channel.ts'
import { unsubscribeUrl } from '../../src/domain/mail/links.ts'
import { listDeliveries } from '../../src/services/alerts/deliveries.ts'
import { findObstacle } from '../../src/services/channels/channel-validity.ts'
import { createChannel, listChannels } from '../../src/services/channels/channels.ts'
import { createCourier } from '../../src/services/courier/courier.ts'
import { createKey } from '../../src/services/projects/keys.ts'
import { createProject } from '../../src/services/projects/projects.ts'
import { openMailDoor } from '../../src/smtp/server.ts'
import type { Store } from '../../src/store/store.ts'
import { SAMPLE_ADDRESS, SAMPLE_PHONE } from '../../src/transports/sample.ts'
import { handClock } from '../support/clock.ts'
import { briefDatabase } from '../support/databases.ts'
import { allChecks } from '../support/lists.ts'
import { smtpClient } from '../support/smtp-client.ts'
import { answered, type LogLine, type Sent, type TestApp, testApp } from '../support/test-app.ts'
import { wrapped } from '../support/wrapped-methods.ts'
import { KINDS, SETTINGS } from '../transports/kinds.ts'
import { ENVIRONMENT, secretsIn } from './secrets.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function open(): Promise<TestApp> {
  const t = await testApp({ env: ENVIRONMENT })
  ends.push(() => t.close())
  return t
}

/** Creates a channel of every kind, and a check that is assigned to all. */
async function furnish(t: TestApp): Promise<{ check: string; secrets: string[] }> {
  for (const [kind, settings] of Object.entries(SETTINGS))
    await createChannel(t.app.deps, t.actor, { kind, name: kind, settings })
  const json = { name: 'Job', channels: '*' }
  const { uuid: check } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })
  return { check, secrets: [...Object.values(t.keys), check, t.project.badgeKey] }
}

/** Sends the check down and up again, and delivers every alert completely. */
async function goDownAndUp(t: TestApp, check: string): Promise<void> {
  for (const action of ['/fail', '']) {
    await t.call('POST', `/ping/${check}${action}`, { body: `from ${SAMPLE_ADDRESS}` })
    await t.app.settle('deliveries')
    t.clock.advance({ hours: 2 })
    await t.app.settle('deliveries')
  }
}

/** Returns everything about deliveries that the command line shows. */
async function shown({ app: { deps }, actor }: Pick<TestApp, 'app' | 'actor'>): Promise<string> {
  const errors = (await listDeliveries(deps, actor, null, 1000)).map(({ error }) => error)
  const channels = await listChannels(deps, actor)
  const fare = channels.map((channel) => [
    channel.lastError,
    channel.disabledReason,
    findObstacle(deps, actor, channel)?.reason,
  ])
  return JSON.stringify([errors, fare])
}

test('the search finds every secret in each of its forms', () => {
  const all = secretsIn(JSON.stringify([ENVIRONMENT, SETTINGS]))
  expect(all.length).toBeGreaterThan(35)
  for (const secret of all) {
    expect(secretsIn(`x ${secret} y`)).toContain(secret)
    expect(secretsIn(`x?y=${encodeURIComponent(secret)}`)).toContain(secret)
  }
  expect(secretsIn(`Basic ${Buffer.from(`user:${all[0]}`).toString('base64')}`)).toEqual([all[0] ?? ''])
  expect(secretsIn('delivery failed, Received status code 500')).toEqual([])
})

describe('a receiver that repeats everything it was sent', () => {
  const everything = ({ url, headers, body }: Sent) => `${url} ${Object.values(headers).join(' ')} ${body}`
  const repeated = (sent: Sent) => {
    const words = everything(sent)
    const told = { description: words, msg: words, message: words, error: words, errors: [words], result: 'error' }
    return JSON.stringify({ ok: false, status: 0, ...told })
  }

  test.each([400, 401, 403, 404, 429, 500])('and answers %i puts no secret in log or lists', async (status) => {
    const t = await open()
    t.answerWith((sent) => answered(status, { 'x-echo': 'x' }, repeated(sent)))
    t.answerMailWith(({ to }) => ({ kind: 'unreachable', error: `The mail server is not there for ${to.length}` }))
    const { check, secrets } = await furnish(t)
    await goDownAndUp(t, check)
    const failed = t.log.filter(({ message }) => message.startsWith('delivery '))
    expect(new Set(failed.map(({ details }) => details.kind))).toEqual(new Set(KINDS))
    // The receivers did get the secrets; otherwise this would prove nothing.
    expect(secretsIn(t.sent.map(everything).join()).length).toBeGreaterThan(25)
    expect(secretsIn(JSON.stringify(t.log), secrets)).toEqual([])
    expect(secretsIn(await shown(t), secrets)).toEqual([])
  })
})

/** A mail server on this machine that refuses everything and repeats its input. */
async function mailServer(stage: 'login' | 'recipient' | 'message'): Promise<number> {
  const server = new SMTPServer({
    authOptional: stage !== 'login',
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth: ({ username, password }, _, done) =>
      stage === 'login' ? done(new Error(`no ${username} with ${password} here`)) : done(null, { user: username }),
    onRcptTo: ({ address }, _, done) =>
      stage === 'recipient' ? done(Object.assign(new Error(`no <${address}> here`), { responseCode: 450 })) : done(),
    onData(stream, { envelope }, done) {
      stream.resume()
      const to = envelope.rcptTo.map(({ address }) => address).join()
      stream.on('end', () => done(Object.assign(new Error(`not for ${to}`), { responseCode: 450 })))
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  ends.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = server.server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

test.each(['login', 'recipient', 'message'] as const)(
  'a real mail server that refuses the %s, and repeats it, is logged without address and password',
  async (stage) => {
    const port = await mailServer(stage)
    const log: LogLine[] = []
    const clock = handClock()
    const config = readConfig({ ...ENVIRONMENT, DATABASE_URL: (await briefDatabase()).url, EMAIL_PORT: String(port) })
    const deps = await createDeps(
      config,
      (level, message, details = {}) => void log.push({ level, message, details }),
      { now: clock.now },
    )
    const app = createApp(config, deps)
    ends.push(() => app.stop())
    const { project } = await createProject(deps, 'Mail')
    const actor = operatorIn(project)
    await createChannel(deps, actor, { kind: 'email', name: '', settings: SETTINGS.email })
    await fail({ app, actor })
    await app.settle('deliveries')
    expect(log.map(({ message }) => message)).toContain('delivery will be tried again')
    expect(JSON.stringify(log)).toContain('The mail server ')
    expect(secretsIn(JSON.stringify(log))).toEqual([])
    expect(secretsIn(await shown({ app, actor }))).toEqual([])
  },
)

/** Sends down a check with all channels of the project. */
async function fail({ app, actor }: Pick<TestApp, 'app' | 'actor'>): Promise<void> {
  const { key } = await createKey(app.deps, actor, 'read-write')
  const post = (path: string, body: string) =>
    app.handle(new Request(`http://localhost${path}`, { method: 'POST', headers: { 'x-api-key': key }, body }))
  await post('/api/v3/checks/', JSON.stringify({ name: 'Job', channels: '*' }))
  const [made] = await allChecks(app.deps.store, actor.project.id)
  await post(`/ping/${made?.check.id}/fail`, '')
}

test('real errors of connections, names, redirects and certificates are reported without the URL', async () => {
  const t = await open()
  const moved = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => Response.redirect(`http://[${encodeURIComponent(url)}`, 302),
  })
  const gone = Bun.listen({ port: 0, hostname: '127.0.0.1', socket: { data: (socket) => void socket.end() } })
  ends.push(
    () => moved.stop(true),
    () => gone.stop(true),
  )
  const send = createHttpSender({ allowPrivateAddresses: true, timeoutSeconds: 5 })
  const courier = createCourier({ ...t.app.deps, carriers: { ...t.app.deps.carriers, http: send } })
  const secret = 'https0Secret1Path2Of3Hook'
  for (const at of [
    `http://127.0.0.1:${gone.port}`,
    `https://127.0.0.1:${gone.port}`,
    `http://127.0.0.1:${moved.port}`,
    'http://127.0.0.1:9',
    'http://no-such-host.invalid',
  ]) {
    await createChannel(t.app.deps, t.actor, { kind: 'slack', name: at, settings: `${at}/${secret}` })
  }
  await t.json('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: { slug: 'job', channels: '*' } })
  await t.call('POST', `/ping/${t.keys.pingKey}/job/fail`)
  await courier.deliverDue()
  await courier.drain()
  expect(t.log.filter(({ message }) => message === 'delivery will be tried again')).toHaveLength(5)
  const secrets = [secret, ...Object.values(t.keys)]
  expect(secretsIn(JSON.stringify(t.log), secrets)).toEqual([])
  expect(secretsIn(await shown(t), secrets)).toEqual([])
})

/** A store whose every method throws an error that repeats its arguments. */
function talkative(store: Store): Store {
  const fail = async (...given: unknown[]): Promise<never> => {
    const words = JSON.stringify(given, (_, value) => (value instanceof Map ? [...value] : value))
    throw new Error(`no row for ${words}`, { cause: new Error(words) })
  }
  // A revision is known without the database.
  const kept = ['close', 'changes.accessRevision']
  return wrapped(store, (path, method) => (kept.includes(path) ? method : fail))
}

test('an error that repeats the request is logged without it, from every entry point and every loop', async () => {
  const t = await open()
  const { check, secrets } = await furnish(t)
  const [channel] = (await listChannels(t.app.deps, t.actor)).filter(({ kind }) => kind === 'email') as [Channel]
  const { site } = t.app.deps
  const unsubscribe = new URL(unsubscribeUrl(site.links, channel.id, 'alerts', site.secret)).pathname
  const broken = { ...t.app.deps, store: talkative(t.app.deps.store) }
  const app = createApp(readConfig({ ...ENVIRONMENT, DATABASE_URL: 'sqlite::memory:' }), broken)
  const { apiKey, apiKeyReadonly, pingKey } = t.keys
  const ask = (method: string, path: string, key = apiKey, body: string | null = null) =>
    app.handle(new Request(`http://localhost${path}`, { method, headers: { 'x-api-key': key }, body }))
  const answers = [
    await ask('GET', `/ping/${check}`),
    await ask('GET', `/ping/${pingKey}/job?create=1`),
    await ask('GET', '/api/v3/checks/', apiKeyReadonly),
    await ask('GET', `/api/v3/checks/${check}`),
    await ask('POST', '/api/v3/checks/', apiKey, JSON.stringify({ name: SAMPLE_ADDRESS, api_key: apiKey })),
    await ask('GET', `/badge/${t.project.badgeKey}/abcdefgh.svg`),
    await ask('GET', `/projects/${t.project.id}/metrics/${apiKeyReadonly}`),
    await ask('POST', unsubscribe),
    await ask(
      'POST',
      `/api/v3/notifications/${check}/status`,
      apiKey,
      `error=not for ${encodeURIComponent(SAMPLE_PHONE)}`,
    ),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 500))
  const before = t.log.length
  expect(before).toBe(answers.length)
  for (const name of ['overdue', 'deliveries', 'mailings', 'retention', 'search'] as const) {
    await expect(app.settle(name)).rejects.toThrow('no row for')
  }
  const door = await openMailDoor(
    {
      ...broken,
      refusedNotes: { note() {} },
      pings: { receive: () => Promise.reject(new Error(check)), drain: async () => {} },
    },
    {
      host: '127.0.0.1',
      port: 0,
      domain: 'ping.example',
      tls: null,
    },
  )
  ends.push(() => door.close(0))
  const client = await smtpClient(door.port)
  expect(await client.begin(`${check}@ping.example`)).toContain('internal error')
  client.close()
  expect(t.log.length).toBe(before + 1)
  const token = unsubscribe.split('/').at(-2) ?? ''
  expect(secretsIn(JSON.stringify(t.log), [...secrets, token])).toEqual([])
  for (const answer of answers) expect(secretsIn(await answer.text(), [...secrets, token])).toEqual([])
})

test('a late report of a service is logged without the phone number', async () => {
  const t = await open()
  await createChannel(t.app.deps, t.actor, { kind: 'sms', name: '', settings: SETTINGS.sms })
  const json = { name: 'Job', channels: '*' }
  const { uuid } = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })
  await t.call('POST', `/ping/${uuid}/fail`)
  await t.app.settle('deliveries')
  const { delivery } = t.log.at(-1)?.details ?? {}
  const body = new URLSearchParams({ error: `${SAMPLE_PHONE} is unknown, said ${SAMPLE_ADDRESS}` })
  await t.call('POST', `/api/v3/notifications/${delivery}/status`, { body: body.toString() })
  expect(t.log.at(-1)).toMatchObject({
    message: 'delivery failed after it was sent',
    details: { error: '… is unknown, said …' },
  })
  expect(secretsIn(await shown(t))).toEqual([])
})
