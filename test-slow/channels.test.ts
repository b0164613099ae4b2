/** Kinds of channel whose receiver can run on this machine: a real server sends each of them a down and an up alert. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { registry } from '../src/transports/index.ts'
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

/**
 * Returns samples of the kinds whose settings, or whose server's settings, contain the address of the receiver. It is replaced by one at
 * `at`.
 */
function settingsAt(at: string): Readonly<Record<string, unknown>> {
  const there = [...registry.values()].flatMap(({ kind, carrier, sample, reads = [] }) => {
    if (carrier !== 'http') return []
    const before = JSON.stringify(sample.settings)
    const text = before.replaceAll(/https:\/\/[^/"]+/g, `${at}/${kind}`)
    return text !== before || reads.some(({ type }) => type === 'url') ? [[kind, JSON.parse(text)]] : []
  })
  const { webhook, ...others } = Object.fromEntries(there)
  const words = { body_down: '$NAME', body_up: '$NAME' }
  return {
    ...others,
    webhook: { ...webhook, ...words, url_down: `${at}/webhook?went=down`, url_up: `${at}/webhook?went=up` },
  }
}

/** Returns the operator's settings for these kinds. */
function operatorsAt(at: string, kinds: readonly string[]): Readonly<Record<string, string>> {
  const all = kinds.flatMap((kind) => (registry.get(kind)?.reads ?? []).map((setting) => [kind, setting] as const))
  return Object.fromEntries(
    all.map(([kind, { name, example, type }]) => [name, type === 'url' ? `${at}/${kind}` : example.replace('…', 'x')]),
  )
}

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
    ...operatorsAt(at, Object.keys(settingsAt(at))),
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
