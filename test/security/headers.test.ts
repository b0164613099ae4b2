/** Headers that every answer has or lacks. A request cannot choose the targets of links. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { unsubscribeUrl } from '../../src/domain/mail/links.ts'
import { assetPath } from '../../src/http/web/assets/assets.ts'
import { createChannel } from '../../src/services/channels/channels.ts'
import { type Call, type TestApp, testApp } from '../support/test-app.ts'

const SITE_ROOT = 'https://overdue.example'
const EVIL = 'evil.example'

let t: TestApp
let address: string
let check: string
let unsubscribe: string
beforeAll(async () => {
  t = await testApp({ env: { SITE_ROOT, PORT: '0', EMAIL_HOST: 'mail.example' } })
  address = `http://127.0.0.1:${await t.app.start()}`
  const json = { name: 'Job', slug: 'job', tags: 'prod' }
  check = (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })).uuid
  await t.call('POST', `/ping/${check}/fail`, { body: '<script>alert(1)</script>' })
  const settings = { value: 'jane@example.org', up: true, down: true }
  const channel = await createChannel(t.app.deps, t.actor, { kind: 'email', name: '', settings })
  const { site } = t.app.deps
  unsubscribe = new URL(unsubscribeUrl(site.links, channel.id, 'alerts', site.secret)).pathname
})
afterAll(() => t.close())

interface Ask extends Call {
  readonly method?: string
}

/** Sends a request over the socket, with a hostile Host and hostile headers of a proxy. */
function ask(path: string, { method = 'GET', key, json, headers = {} }: Ask = {}): Promise<Response> {
  const misleading = { host: EVIL, 'x-forwarded-host': EVIL, 'x-forwarded-proto': 'https', forwarded: `host=${EVIL}` }
  return fetch(`${address}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...misleading, ...(key === undefined ? {} : { 'x-api-key': key }), ...headers },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
}

const read = () => ({ key: t.keys.apiKey })

/** A request for every kind of answer and error. */
const ANSWERS: readonly (readonly [path: () => string, ask: () => Ask, status: number])[] = [
  [() => '/', () => ({}), 200],
  [() => '/docs/api', () => ({}), 200],
  [() => unsubscribe, () => ({}), 200],
  [() => `${unsubscribe}x`, () => ({}), 404],
  [() => '/healthz', () => ({}), 200],
  [() => '/readyz', () => ({}), 200],
  [() => '/metrics', () => ({ headers: { host: EVIL } }), 403],
  [() => `/projects/${t.project.id}/metrics/${t.keys.apiKeyReadonly}`, () => ({}), 200],
  [() => '/nowhere', () => ({}), 404],
  [() => '/nowhere', () => ({ headers: { accept: 'text/html' } }), 404],
  [() => assetPath('overdue.css'), () => ({}), 200],
  [() => '/assets/overdue.css', () => ({}), 404],
  [() => '/favicon.ico', () => ({}), 200],
  [() => '/robots.txt', () => ({}), 200],
  [() => '/overdue-run', () => ({}), 200],
  [() => '/<script>', () => ({}), 404],
  [() => '/healthz', () => ({ method: 'DELETE' }), 405],
  [() => '/api/v3/openapi.json', () => ({}), 200],
  [() => '/api/v3/checks/', read, 200],
  [() => '/api/v1/checks/', () => ({}), 401],
  [() => `/api/v2/checks/${check}`, read, 200],
  [() => `/api/v3/checks/${check}/pings/`, read, 200],
  [() => `/api/v3/checks/${check}/pings/1/body`, read, 200],
  [() => `/api/v3/checks/${check}/flips/`, read, 200],
  [() => '/api/v3/channels/', read, 200],
  [() => '/api/v3/badges/', read, 200],
  [() => '/api/v3/nowhere', read, 404],
  [() => '/api/v3/checks/', () => ({ ...read(), method: 'PUT' }), 405],
  [() => '/api/v3/checks/', () => ({ ...read(), method: 'POST', json: { channels: '<script>' } }), 400],
  [() => '/badge/x/y.svg', () => ({}), 404],
]

describe('no answer', () => {
  test.each(ANSWERS)(
    '%#: lets a browser guess its type, sets a cookie, or names the server software',
    async (path, how, status) => {
      const response = await ask(path(), how())
      expect(response.status).toBe(status)
      const { headers } = response
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-type') ?? 'nothing').toMatch(
        /^(?:text\/(?:plain|html|css|x-shellscript); charset=utf-8|image\/svg\+xml|application\/json.*|nothing)|^text\/plain; version=/,
      )
      for (const name of ['set-cookie', 'server', 'x-powered-by', 'location']) expect(headers.get(name)).toBeNull()
      const words = `${JSON.stringify(Object.fromEntries(headers))} ${await response.text()}`
      expect(words).not.toContain(EVIL)
    },
  )

  test('of a ping sets a cookie, names the server software, or is anything but plain text', async () => {
    for (const path of [check, `${t.keys.pingKey}/job`, 'nobody', `${t.keys.pingKey}/Job`]) {
      const { headers } = await ask(`/ping/${path}`)
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
      for (const name of ['set-cookie', 'server', 'x-powered-by']) expect(headers.get(name)).toBeNull()
    }
  })
})

test('links lead to SITE_ROOT, with any Host', async () => {
  const made = await (await ask(`/api/v3/checks/${check}`, read())).text()
  expect(made).toContain(`"${SITE_ROOT}/ping/${check}"`)
  expect(await (await ask('/api/v3/badges/', read())).text()).toContain(`"${SITE_ROOT}/badge/`)
  // Links between pages are paths, so they work under any name.
  expect(await (await ask('/')).text()).toContain('"/docs/api"')
})

describe('a page', () => {
  test.each(['/', '/docs/api', '/nowhere', 'unsubscribe'])(
    '%s runs and loads only files of this server',
    async (page) => {
      const { headers } = await ask(page === 'unsubscribe' ? unsubscribe : page, { headers: { accept: 'text/html' } })
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      expect(headers.get('x-frame-options')).toBe('DENY')
      // `no-referrer` would make the Origin of forms null.
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(headers.get('access-control-allow-origin')).toBeNull()
    },
  )
})

test('pages of other origins may use only the API and badges, without cookies', async () => {
  const origin = { headers: { origin: 'https://elsewhere.example' } }
  for (const [path, how] of [
    ['/api/v3/checks/', read()],
    ['/badge/x/y.svg', {}],
  ] as const) {
    const { headers } = await ask(path, { ...how, ...origin })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  }
  for (const path of ['/', '/docs/api', unsubscribe, '/healthz', '/readyz', '/metrics']) {
    expect((await ask(path, origin)).headers.get('access-control-allow-origin')).toBeNull()
  }
})
