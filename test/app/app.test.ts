/** The whole app with its sockets: how it starts and stops. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { type App, createApp } from '../../src/app/app.ts'
import { createDeps } from '../../src/app/deps.ts'
import { readConfig } from '../../src/config/config.ts'
import type { Deps } from '../../src/services/common/deps.ts'
import { rules } from '../../src/services/common/rules.ts'
import { createProject } from '../../src/services/projects/projects.ts'
import { createStore } from '../../src/store/sql-store/sql-store.ts'
import type { Telemetry } from '../../src/telemetry/index.ts'
import { briefDatabase, testDatabase } from '../support/databases.ts'
import { allChecks } from '../support/lists.ts'
import { openUrl } from '../support/open-url.ts'
import type { TestDatabase } from '../support/opened-stores.ts'
import { replaced } from '../support/replaced-methods.ts'
import { smtpClient } from '../support/smtp-client.ts'
import { aChannel, anAuthor, refusalOf, rejection, webhook } from '../support/store-builders.ts'

/** Less than the 1.5 seconds after which a stop no longer waits. Use it only for apps in memory, since a disk may be slow. */
const STOPS_WITHIN_MS = 1_400
/** Settings of an app whose database nobody else opens. */
const onItsOwn = async () => ({ DATABASE_URL: (await briefDatabase()).url })

let database: TestDatabase
let stops: (() => unknown)[]
beforeEach(async () => {
  database = await testDatabase()
  stops = []
})
afterEach(async () => {
  for (const stop of stops) await stop()
  await database.remove()
})

/** @param change wraps the real dependencies */
async function build(
  settings: Record<string, string> = {},
  change = (deps: Deps) => deps,
  telemetry: Telemetry | null = null,
): Promise<App> {
  const config = readConfig({ DATABASE_URL: database.url, PORT: '0', ...settings })
  return createApp(config, change(await createDeps(config, () => {})), telemetry)
}

/** Telemetry that only counts pings in the queue for the disk. */
function pingArrivals(expected: number): { telemetry: Telemetry; arrived: Promise<void> } {
  const { promise: arrived, resolve } = Promise.withResolvers<void>()
  let count = 0
  const telemetry: Telemetry = {
    requests: { answer: (_request, next) => next(), route() {} },
    loop: (_name, work) => work,
    deps: (deps) => deps,
    pings: (receiver) => ({
      ...receiver,
      receive(target, signal) {
        const outcome = receiver.receive(target, signal)
        if (++count === expected) resolve()
        return outcome
      },
    }),
    stop: async () => {},
  }
  return { telemetry, arrived }
}

async function started(app: App) {
  const port = await app.start()
  const stop = async () => {
    const before = performance.now()
    await app.stop()
    return performance.now() - before
  }
  return { port, url: `http://127.0.0.1:${port}`, stop }
}

/** Opens a connection that stays open after an answer. */
async function idleConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  stops.push(() => socket.destroy())
  socket.write('GET /api/v3/status/ HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await new Promise((resolve, reject) => socket.once('data', resolve).once('error', reject))
  expect(socket.destroyed).toBe(false)
  return socket
}

const logOf = async (check: string) => {
  const store = createStore(await openUrl(database.url))
  stops.push(() => store.close())
  return store.pings.list(check, 1000)
}

test('a started app listens on the port that it returns, and a stopped one does not', async () => {
  const { url, stop } = await started(await build(await onItsOwn()))
  expect((await fetch(`${url}/api/v3/status/`)).status).toBe(200)
  expect(await stop()).toBeLessThan(STOPS_WITHIN_MS)
  expect(await rejection(fetch(`${url}/api/v3/status/`))).toBeInstanceOf(Error)
})

test('stopping closes idle connections without waiting for them', async () => {
  const { port, stop } = await started(await build(await onItsOwn()))
  const socket = await idleConnection(port)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  expect(await stop()).toBeLessThan(STOPS_WITHIN_MS)
  await closed
})

test('stopping writes the pings that have arrived to disk, and answers them', async () => {
  const PINGS = 20
  const { telemetry, arrived } = pingArrivals(PINGS)
  const gate = Promise.withResolvers<void>()
  const withGate = (deps: Deps): Deps => ({
    ...deps,
    store: replaced(deps.store, {
      pings: {
        commit: async (batch, applied) => {
          await gate.promise
          return deps.store.pings.commit(batch, applied)
        },
      },
    }),
  })
  const app = await build({}, withGate, telemetry)
  const { keys } = await createProject(app.deps, 'Stop')
  const { url } = await started(app)
  const headers = { 'X-Api-Key': keys.apiKey }
  const made = await fetch(`${url}/api/v3/checks/`, { method: 'POST', headers, body: '{}' })
  const { uuid } = (await made.json()) as { uuid: string }
  const pings = Array.from({ length: PINGS }, () => fetch(`${url}/ping/${uuid}`).then((answer) => answer.text()))
  await arrived
  const stopping = app.stop()
  gate.resolve()
  await stopping
  expect(await Promise.all(pings)).toEqual(pings.map(() => 'OK'))
  expect(await logOf(uuid)).toHaveLength(PINGS)
})

test('stopping writes pings without a socket to disk too', async () => {
  const { telemetry, arrived } = pingArrivals(1)
  const app = await build({}, undefined, telemetry)
  const { keys } = await createProject(app.deps, 'Stop')
  const ping = app.handle(new Request(`http://localhost/ping/${keys.pingKey}/job?create=1`, { method: 'POST' }))
  await arrived
  await app.stop()
  expect(await (await ping).text()).toBe('Created')
})

test('a stopped app has closed its database, and another app finds everything in it', async () => {
  const first = await build()
  const { keys } = await createProject(first.deps, 'Keeps')
  await first.handle(new Request(`http://localhost/ping/${keys.pingKey}/job?create=1`))
  await started(first)
  await first.stop()
  const second = await build()
  stops.push(() => second.stop())
  const answer = await second.handle(
    new Request('http://localhost/api/v3/checks/', { headers: { 'X-Api-Key': keys.apiKey } }),
  )
  expect(await answer.json()).toMatchObject({ checks: [{ name: 'job', n_pings: 1, status: 'up' }] })
})

test('long bodies and deleted checks make retention run at once', async () => {
  const prunes: (() => void)[] = []
  const pruned = () => new Promise<void>((resolve) => prunes.push(resolve))
  const app = await build({ PING_LOG_BYTES: '1000' }, (deps) => ({
    ...deps,
    store: replaced(deps.store, {
      retention: {
        async prune(...given) {
          const done = await deps.store.retention.prune(...given)
          for (const resolve of prunes.splice(0)) resolve()
          return done
        },
      },
    }),
  }))
  const { keys } = await createProject(app.deps, 'Prunes')
  const { url } = await started(app)
  stops.push(() => app.stop())
  const headers = { 'X-Api-Key': keys.apiKey }
  const made = await fetch(`${url}/api/v3/checks/`, { method: 'POST', headers, body: '{}' })
  const { uuid } = (await made.json()) as { uuid: string }
  const began = performance.now()
  for (const length of [900, 900, 900]) {
    const pruning = pruned()
    await fetch(`${url}/ping/${uuid}`, { method: 'POST', body: 'x'.repeat(length) })
    await pruning
  }
  expect((await app.deps.store.pings.list(uuid, 10)).map(({ hasBody }) => hasBody)).toEqual([true, true, false])
  const pruning = pruned()
  await fetch(`${url}/api/v3/checks/${uuid}`, { method: 'DELETE', headers })
  await pruning
  // The loop itself runs once a minute.
  expect(performance.now() - began).toBeLessThan(20_000)
})

test('an app that was built but never started stops at once', async () => {
  const app = await build()
  expect(await app.stop()).toBeUndefined()
  expect(await rejection(app.deps.store.server.probe())).toBeInstanceOf(Error)
})

test('a request that comes while the start prepares waits for the end of that', async () => {
  const app = await build()
  stops.push(() => app.stop())
  const order: string[] = []
  let asked = Promise.resolve()
  await app.start(async (port) => {
    asked = fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => void order.push(`answered ${status}`))
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
    order.push('prepared')
  })
  await asked
  expect(order).toEqual(['prepared', 'answered 200'])
})

test('a start whose port for email is in use prepares nothing', async () => {
  const first = await build({ SMTPD_PORT: '0' })
  stops.push(() => first.stop())
  await first.start()
  const second = await build({ SMTPD_PORT: String(first.mailPort()) })
  stops.push(() => second.stop())
  const prepared: number[] = []
  await refusalOf(second.start(async (port) => void prepared.push(port)))
  expect(prepared).toEqual([])
})

test('a port in use is reported with its setting', async () => {
  const first = await started(await build())
  stops.push(first.stop)
  const second = await build({ PORT: String(first.port) })
  stops.push(() => second.stop())
  const { message, code, data } = await refusalOf(second.start())
  expect(message).toStartWith(`cannot listen on 127.0.0.1:${first.port}: `)
  expect([code, data]).toEqual([
    'cannot-listen',
    { host: '127.0.0.1', port: first.port, setting: 'PORT', isForbidden: false },
  ])
})

// Neither is an address of this machine: one is reserved for documentation (RFC 5737), the other never resolves (RFC 6761).
test.each(['192.0.2.1', 'overdue.invalid'])(
  'a HOST that is not an address of this machine is reported as such: %s',
  async (HOST) => {
    const app = await build({ HOST })
    stops.push(() => app.stop())
    expect(await refusalOf(app.start())).toMatchObject({ code: 'cannot-listen', data: { host: HOST, setting: 'HOST' } })
  },
)

describe('the port for email', () => {
  test('is null without SMTPD_PORT, and before the start', async () => {
    const app = await build()
    stops.push(() => app.stop())
    await app.start()
    expect(app.mailPort()).toBeNull()
    const taking = await build({ SMTPD_PORT: '0' })
    stops.push(() => taking.stop())
    expect(taking.mailPort()).toBeNull()
  })

  test('receives email while the app runs, and idle clients do not delay the stop', async () => {
    const app = await build({ ...(await onItsOwn()), SMTPD_PORT: '0', PING_EMAIL_DOMAIN: 'ping.example' })
    const { keys } = await createProject(app.deps, 'Mail')
    await app.handle(new Request(`http://localhost/ping/${keys.pingKey}/job?create=1`))
    const { stop } = await started(app)
    const port = app.mailPort() ?? 0
    const client = await smtpClient(port)
    stops.push(client.close)
    expect(await client.mail('Subject: OK\r\n', `${keys.pingKey}+job@ping.example`)).toBe('250 2.6.0 OK')
    expect(await stop()).toBeLessThan(STOPS_WITHIN_MS)
    await client.closed
    expect(await rejection(smtpClient(port))).toBeInstanceOf(Error)
  })

  test('is reported with its setting if it is in use', async () => {
    const first = await build({ SMTPD_PORT: '0' })
    stops.push(() => first.stop())
    await first.start()
    const port = String(first.mailPort())
    const second = await build({ SMTPD_PORT: port })
    stops.push(() => second.stop())
    const { message, code, data } = await refusalOf(second.start())
    expect(message).toStartWith(`cannot listen on 127.0.0.1:${port} for mail: `)
    expect([code, data]).toEqual([
      'cannot-listen',
      { host: '127.0.0.1', port: Number(port), setting: 'SMTPD_PORT', isForbidden: false },
    ])
  })
})

test('the alerts of a ping are sent at once, without waiting for the loop', async () => {
  let arrived = Promise.withResolvers<void>()
  const config = readConfig({ ...(await onItsOwn()), PORT: '0' })
  const deps = await createDeps(config, () => {}, {
    carriers: {
      http: async () => {
        arrived.resolve()
        return { kind: 'answered', status: 200, headers: new Headers(), body: '' }
      },
    },
  })
  const app = createApp(config, deps)
  const { project, keys } = await createProject(deps, 'Prompt')
  await deps.store.by(anAuthor()).channels.create(aChannel(project))
  const { stop } = await started(app)
  stops.push(stop)
  const ALERTS = 10
  const before = performance.now()
  for (let sent = 0; sent < ALERTS; sent += 1) {
    arrived = Promise.withResolvers()
    const action = sent % 2 === 0 ? '/fail' : ''
    await app.handle(new Request(`http://localhost/ping/${keys.pingKey}/job${action}?create=1`))
    await arrived.promise
  }
  // The loop runs once a second, so it alone would send the last one after nine.
  expect(performance.now() - before).toBeLessThan((ALERTS - 2) * 1_000)
})

test('a check without pings goes down by itself, and its alert is sent', async () => {
  const sent = Promise.withResolvers<string>()
  const config = readConfig({ DATABASE_URL: database.url, PORT: '0' })
  const deps = await createDeps(config, () => {}, {
    carriers: {
      http: async (request) => {
        sent.resolve(request.url)
        return { kind: 'answered', status: 200, headers: new Headers(), body: '' }
      },
    },
  })
  const app = createApp(config, deps)
  const { project, keys } = await createProject(deps, 'Silent')
  await deps.store.by(anAuthor()).channels.create(aChannel(project, { settings: webhook('https://example.org/$NAME') }))
  const ping = await app.handle(new Request(`http://localhost/ping/${keys.pingKey}/job?create=1`))
  expect(await ping.text()).toBe('Created')
  const [found] = await allChecks(deps.store, project.id)
  if (!found) throw new Error('no check')
  const silent = { ...found.check, lastPingAt: deps.now().subtract({ hours: 48 }) }
  await deps.store.by(anAuthor()).checks.change(found.check.id, () => ({ check: silent }), rules(deps))
  const { stop } = await started(app)
  stops.push(stop)
  expect(await sent.promise).toBe('https://example.org/job')
})

test('connections to the mail server are kept while the app runs, and closed when it stops', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<string>()
  let connections = 0
  let isMail = false
  const mailServer = Bun.listen<unknown>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        connections++
        socket.write('220 ready\r\n')
      },
      data(socket, data) {
        const text = String(data)
        if (isMail && !text.endsWith('\r\n.\r\n')) return
        isMail = text.startsWith('DATA')
        socket.write(isMail ? '354 go on\r\n' : '250 OK\r\n')
      },
      close: () => resolve('closed'),
    },
  })
  stops.push(() => mailServer.stop(true))
  const settings = {
    ...(await onItsOwn()),
    EMAIL_HOST: '127.0.0.1',
    EMAIL_PORT: String(mailServer.port),
    EMAIL_USE_TLS: 'False',
  }
  const app = await build(settings)
  const { stop } = await started(app)
  const mail = { id: crypto.randomUUID(), to: 'a@b.test', subject: '', text: 'x', html: 'x', unsubscribeUrl: null }
  for (const _ of [1, 2]) expect(await app.deps.carriers.mail(mail)).toMatchObject({ kind: 'accepted' })
  expect(connections).toBe(1)
  expect(await stop()).toBeLessThan(STOPS_WITHIN_MS)
  expect(await closed).toBe('closed')
})
