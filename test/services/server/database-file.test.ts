/** A database file that is taken away while the server runs: reactions of pings, emails, the API, probes and loops. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { copyFileSync, renameSync, writeFileSync } from 'node:fs'
import { createApp } from '../../../src/app/app.ts'
import { createDeps } from '../../../src/app/deps.ts'
import { readConfig } from '../../../src/config/config.ts'
import { Refusal } from '../../../src/domain/errors.ts'
import type { Log } from '../../../src/lib/log.ts'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { rules } from '../../../src/services/common/rules.ts'
import { createPingReceiver } from '../../../src/services/pings/pings.ts'
import { RefusedNotes } from '../../../src/services/pings/refused-signals.ts'
import { openMailDoor } from '../../../src/smtp/server.ts'
import { UNAVAILABLE } from '../../../src/store/engine/sqlite/faults.ts'
import type { DecideChange } from '../../../src/store/store.ts'
import { type Folder, folderOnDisk } from '../../support/folder.ts'
import { smtpClient } from '../../support/smtp-client.ts'
import { anAuthor, rejection, webhook } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let folder: Folder
let path: string
let t: TestApp
let check: string
let seconds: number
beforeEach(async () => {
  folder = folderOnDisk()
  path = folder.file('o.db')
  seconds = 1_000
  t = await testApp({ env: { DATABASE_URL: `sqlite:${path}`, PROMETHEUS_ENABLED: 'True' }, stopwatch: () => seconds })
  await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: '', settings: webhook() })
  const json = { timeout: 60, grace: 60, channels: '*' }
  const made = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })
  check = made.uuid
  expect(await ping()).toBe('200 OK')
  second()
  expect(await ping()).toBe('200 OK')
})
afterEach(async () => {
  await t.close()
  folder.remove()
})

const second = () => {
  seconds += 1
  t.clock.advance({ seconds: 1 })
}
const ping = async () => {
  const answer = await t.call('GET', `/ping/${check}`)
  return `${answer.status} ${await answer.text()}`
}
const overwrite = () => writeFileSync(path, crypto.getRandomValues(new Uint8Array(80_000)))
const takeAway = () => renameSync(path, folder.file('away.db'))
const putBack = () => renameSync(folder.file('away.db'), path)

/** Ways after which nobody will read the writes of the server. */
const WAYS: Readonly<Record<string, () => void>> = {
  'moved away': takeAway,
  replaced: () => {
    copyFileSync(path, folder.file('other.db'))
    renameSync(folder.file('other.db'), path)
  },
  'overwritten with garbage': overwrite,
}

describe.each(Object.entries(WAYS))('a database file that was %s', (_, damage) => {
  beforeEach(() => {
    damage()
    second()
  })

  test('accepts no ping, and says when to try again', async () => {
    const answer = await t.call('POST', `/ping/${check}`, { body: 'output' })
    expect([answer.status, await answer.text(), answer.headers.get('retry-after')]).toEqual([503, UNAVAILABLE, '5'])
    expect(t.app.deps.measurements.pings.failed).toBe(1)
  })

  test('lets the API change and read nothing', async () => {
    const key = t.keys.apiKey
    const calls = [
      ['POST', 'checks/', { name: 'new' }],
      ['POST', `checks/${check}`, { name: 'changed' }],
      ['DELETE', `checks/${check}`, undefined],
      ['GET', 'checks/', undefined],
      ['GET', `checks/${check}/pings/`, undefined],
      ['GET', 'channels/', undefined],
    ] as const
    for (const [method, where, json] of calls) {
      const answer = await t.call(method, `/api/v3/${where}`, json ? { key, json } : { key })
      expect([where, answer.status, await answer.json(), answer.headers.get('retry-after')]).toEqual([
        where,
        503,
        { error: UNAVAILABLE },
        '5',
      ])
    }
  })

  test('accepts no email for now', async () => {
    const { deps } = t.app
    const where = { host: '127.0.0.1', port: 0, domain: 'ping.example', tls: null }
    const door = await openMailDoor(
      { ...deps, pings: createPingReceiver(deps), refusedNotes: new RefusedNotes(deps) },
      where,
    )
    const client = await smtpClient(door.port)
    expect(await client.mail('Subject: done\r\n\r\n', `${check}@ping.example`)).toBe(`451 4.3.0 ${UNAVAILABLE}`)
    client.close()
    await door.close(0)
  })

  test('is reported by both probes and by one log line, with its path and what to do', async () => {
    const status = await t.json<{ error: string }>('GET', '/api/v3/status/')
    expect(status.error).toStartWith(`the database file ${path} was `)
    expect(status.error).toMatch(/: (?:move the|stop the server|restart the server)/)
    expect((await t.call('GET', '/api/v3/status/')).status).toBe(503)
    const ready = await t.call('GET', '/readyz')
    expect([ready.status, await ready.text()]).toEqual([
      503,
      `database: failed: ${status.error}\noutbox: failed: see database\ninstances: failed: see database\nlast outage: failed: see database\nlast backup: failed: see database\n`,
    ])
    for (let times = 0; times < 20; times += 1) {
      second()
      await ping()
      await t.call('GET', '/api/v3/checks/', { key: t.keys.apiKey })
    }
    expect(t.log.filter(({ level }) => level !== 'info')).toEqual([
      { level: 'error', message: status.error, details: {} },
    ])
  })
})

test('an edit that was committed but refused, since the file went away, is in the lists once the file is back', async () => {
  const { key, list } = { key: t.keys.apiKey, list: '/api/v3/checks/' }
  const tag = (await t.call('GET', list, { key })).headers.get('etag') ?? ''
  const { deps } = t.app
  const rename: DecideChange = (before) => {
    takeAway()
    return { check: { ...before, name: 'renamed' } }
  }
  expect(await rejection(deps.store.by(anAuthor()).checks.change(check, rename, rules(deps)))).toBeInstanceOf(Refusal)
  putBack()
  const answer = await t.call('GET', list, { key, headers: { 'if-none-match': tag } })
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"name":"renamed"')])
})

test('an email is refused for now when the file goes away after its check was found', async () => {
  const { deps } = t.app
  const where = { host: '127.0.0.1', port: 0, domain: 'ping.example', tls: null }
  const door = await openMailDoor(
    { ...deps, pings: createPingReceiver(deps), refusedNotes: new RefusedNotes(deps) },
    where,
  )
  const client = await smtpClient(door.port)
  expect(await client.begin(`${check}@ping.example`)).toStartWith('354')
  takeAway()
  client.write('Subject: done\r\n\r\n.\r\n')
  expect(await client.answer()).toBe(`451 4.3.0 ${UNAVAILABLE}`)
  client.close()
  await door.close(0)
})

test('while it is away, no check flips and nothing is sent; once it is back, alerts come, and checks are spared for that time', async () => {
  expect(await t.json('POST', '/api/v3/checks/', { key: t.keys.apiKey, json: { name: 'other' } })).toBeDefined()
  expect((await t.call('GET', `/ping/${check}/fail`)).status).toBe(200)
  takeAway()
  t.clock.advance({ minutes: 5 })
  for (const loop of ['overdue', 'deliveries', 'mailings', 'retention', 'search'] as const) {
    expect(await rejection(t.app.settle(loop))).toHaveProperty('data.isLogged', true)
  }
  expect(t.sent).toEqual([])
  expect(t.log.filter(({ level }) => level === 'error')).toHaveLength(1)
  putBack()
  await t.app.settle('deliveries')
  expect(t.sent).toHaveLength(1)
  expect(await ping()).toBe('200 OK')
  expect(t.log.map(({ level, message }) => `${level}: ${message}`)).toContain('info: the database can be used again')
  expect((await t.call('GET', '/api/v3/status/')).status).toBe(200)
})

test('a started server notices by itself, does not log each run of its loops, and stops cleanly', async () => {
  const config = readConfig({ DATABASE_URL: `sqlite:${folder.file('served.db')}`, PORT: '0' })
  const errors: string[] = []
  const log: Log = (level, message) => void (level === 'error' && errors.push(message))
  const app = createApp(config, await createDeps(config, log))
  const url = `http://127.0.0.1:${await app.start()}`
  renameSync(folder.file('served.db'), folder.file('away.db'))
  const { loops } = app.deps.measurements
  while (![...loops.values()].some(({ failures }) => failures >= 2)) await Bun.sleep(20)
  expect(errors).toEqual([expect.stringContaining('served.db was moved away')])
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
  await app.stop()
  renameSync(folder.file('away.db'), folder.file('served.db'))
  const again = createApp(config, await createDeps(config, log))
  expect((await again.handle(new Request('http://localhost/readyz'))).status).toBe(200)
  await again.stop()
})
