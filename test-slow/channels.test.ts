/** Kinds of channel whose receiver can run on this machine: a real server sends each of them a down and an up alert. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { freePort } from '../test/support/free-port.ts'
import { overdue, type Served, serve } from '../test/support/served.ts'
import { eventually } from './support/eventually.ts'

interface Received {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly webhookId: string | null
}

const received: Received[] = []
const WITHIN_MS = 15_000

let receiver: ReturnType<typeof Bun.serve>
let server: Served
let project: { readonly id: string; readonly api_key: string }

const hook = (url: string) => ({
  method_down: 'POST',
  url_down: `${url}?went=down`,
  body_down: '$NAME went $STATUS',
  headers_down: {},
  method_up: 'PUT',
  url_up: `${url}?went=up`,
  body_up: '$NAME went $STATUS',
  headers_up: {},
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
})

/** Settings by kind, for a receiver at `at`. */
const settingsAt = (at: string): Readonly<Record<string, unknown>> => ({
  webhook: hook(`${at}/webhook`),
  slack: `${at}/slack`,
  mattermost: `${at}/mattermost`,
  rocketchat: `${at}/rocketchat`,
  googlechat: `${at}/googlechat`,
  msteamsw: `${at}/msteamsw`,
  pagertree: `${at}/pagertree`,
  spike: `${at}/spike`,
  victorops: `${at}/victorops`,
  ntfy: { topic: 'ops', url: `${at}/ntfy`, priority: 3, priority_up: 3 },
  gotify: { url: `${at}/gotify`, token: 'token', priority: 5, priority_up: 5 },
  zulip: { bot_email: 'bot@example.org', api_key: 'key', site: `${at}/zulip`, mtype: 'stream', to: 'ops' },
  matrix: '!room:example.org',
  apprise: 'json://example.org/',
})

beforeAll(async () => {
  const port = freePort()
  const at = `http://127.0.0.1:${port}`
  receiver = Bun.serve({
    port,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const webhookId = request.headers.get('webhook-id')
      received.push({ method: request.method, path: pathname + search, body: await request.text(), webhookId })
      return Response.json({ result: 'success' })
    },
  })
  server = await serve({
    INTEGRATIONS_ALLOW_PRIVATE_IPS: 'True',
    MATRIX_HOMESERVER: `${at}/matrix`,
    MATRIX_ACCESS_TOKEN: 'token',
    APPRISE_URL: `${at}/apprise`,
  })
  project = await overdue(server.databaseUrl, 'project', 'create', 'Channels')
  for (const [kind, settings] of Object.entries(settingsAt(at))) {
    const words = ['--project', project.id, '--kind', kind, '--name', kind, '--settings', JSON.stringify(settings)]
    await overdue(server.databaseUrl, 'channel', 'create', ...words)
  }
})

afterAll(async () => {
  await server.stop()
  await receiver.stop(true)
})

const kinds = () => new Set(received.map(({ path }) => path.split(/[/?]/)[1]))

test.each(['fail', ''])(
  'a ping to /%s makes the server alert every kind of channel, and each message names the check',
  async (tail) => {
    received.length = 0
    const api = `${server.baseUrl}/api/v3/checks/`
    const spec = { name: 'Nightly backup', slug: 'nightly', channels: '*', unique: ['slug'] }
    const answer = await fetch(api, {
      method: 'POST',
      headers: { 'X-Api-Key': project.api_key },
      body: JSON.stringify(spec),
    })
    const { ping_url } = (await answer.json()) as { ping_url: string }
    await fetch(`${ping_url}/${tail}`)
    const expected = Object.keys(settingsAt('http://127.0.0.1'))
    const description = () => `every kind got an alert, not only ${[...kinds()].join(', ')}`
    await eventually(description, () => kinds().size >= expected.length, WITHIN_MS)
    expect([...kinds()].sort()).toEqual(expected.sort())
    for (const { path, body } of received) {
      expect(`${path} ${decodeURIComponent(body.replaceAll('+', ' '))}`).toContain('Nightly backup')
    }
    const webhook = received.find(({ path }) => path.startsWith('/webhook'))
    expect(webhook?.path).toBe(`/webhook?went=${tail === 'fail' ? 'down' : 'up'}`)
    expect(webhook?.webhookId).toMatch(/^[0-9a-f-]{36}$/)
  },
)
