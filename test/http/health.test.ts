/** The two probes over HTTP; `test/services/server/readiness.test.ts` has each way to fail. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createApp } from '../../src/app/app.ts'
import { createDeps } from '../../src/app/deps.ts'
import { readConfig } from '../../src/config/config.ts'
import { Refusal } from '../../src/domain/errors.ts'
import { handClock } from '../support/clock.ts'
import { briefDatabase } from '../support/databases.ts'
import { replaced } from '../support/replaced-methods.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

describe.each(['/healthz', '/readyz'])('%s', (path) => {
  test('answers everybody with text that is not cached and has no CORS headers', async () => {
    const answer = await t.call('GET', path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.has('access-control-allow-origin')).toBe(false)
    expect((await t.call('HEAD', path)).status).toBe(200)
  })

  test('takes GET and HEAD only', async () => {
    const answer = await t.call('POST', path)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('also answers below the path of SITE_ROOT', async () => {
    await t.close()
    t = await testApp({ env: { SITE_ROOT: 'https://example.org/watch' } })
    expect((await t.call('GET', `/watch${path}`)).status).toBe(200)
    expect((await t.call('GET', path)).status).toBe(200)
  })
})

test('/readyz has a line for each part', async () => {
  expect(await (await t.call('GET', '/readyz')).text()).toMatch(
    /^database: ok(, .+)?\noutbox: ok\ninstances: 1 alive\nlast outage: none known\n$/,
  )
})

test('after the start, /readyz has a line for each loop', async () => {
  const config = readConfig({ DATABASE_URL: (await briefDatabase()).url, PORT: '0' })
  const app = createApp(config, await createDeps(config, () => {}, { now: handClock().now }))
  try {
    const url = `http://127.0.0.1:${await app.start()}`
    const parts = [
      'loop deliveries',
      'loop mailings',
      'loop overdue',
      'loop incidents',
      'loop retention',
      'loop search',
      'loop refused',
      'loop advice',
      'outbox',
    ]
    const [database, ...others] = (await (await fetch(`${url}/readyz`)).text()).split('\n')
    expect(database).toStartWith('database: ok')
    expect(others).toEqual([...parts.map((part) => `${part}: ok`), 'instances: 1 alive', 'last outage: none known', ''])
    expect(await (await fetch(`${url}/healthz`)).text()).toBe('ok\n')
  } finally {
    await app.stop()
  }
})

test('while the database cannot be written, /readyz is 503 and says why, and /healthz is 200', async () => {
  const config = readConfig({ DATABASE_URL: (await briefDatabase()).url })
  const deps = await createDeps(config, () => {})
  const broken = async () => {
    throw new Refusal('unavailable', 'not now', { reason: 'the disk is full' })
  }
  const app = createApp(config, {
    ...deps,
    store: replaced(deps.store, { server: { probeWrite: broken, probe: broken } }),
  })
  const ask = (path: string) => app.handle(new Request(`http://localhost${path}`))
  const ready = await ask('/readyz')
  expect([ready.status, await ready.text()]).toEqual([
    503,
    'database: failed: the disk is full\noutbox: ok\ninstances: 1 alive\nlast outage: none known\n',
  ])
  const alive = await ask('/healthz')
  expect([alive.status, await alive.text()]).toEqual([200, 'ok\n'])
  await app.stop()
})

test('before a stop /healthz is 503, and the server goes on taking pings', async () => {
  const config = readConfig({ DATABASE_URL: (await briefDatabase()).url })
  const app = createApp(config, await createDeps(config, () => {}))
  const ask = (path: string) => app.handle(new Request(`http://localhost${path}`))
  app.drain()
  const health = await ask('/healthz')
  expect([health.status, await health.text()]).toEqual([503, 'stopping\n'])
  expect((await ask('/readyz')).status).toBe(200)
  expect((await ask(`/ping/${crypto.randomUUID()}`)).status).toBe(404)
  await app.stop()
})
