/** Tracing as a whole: data that a collector receives, and data that it must not receive. */
import { afterEach, describe, expect, test } from 'bun:test'
import type { SamplerName, TracingSettings } from '../../src/config/tracing.ts'
import { createChannel } from '../../src/services/channels/channels.ts'
import { startTelemetry } from '../../src/telemetry/index.ts'
import { otlpReceiver } from '../support/otlp-receiver.ts'
import { webhook } from '../support/store-builders.ts'
import { answered } from '../support/test-app.ts'
import { type TracedApp, tracedApp } from '../support/traced-app.ts'

const MAIL_SERVER = { EMAIL_HOST: 'mail.example.org', DEFAULT_FROM_EMAIL: 'overdue@example.org' }

let stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops) await stop()
  stops = []
})

async function begin(env: Record<string, string> = {}): Promise<TracedApp> {
  const t = await tracedApp({ env })
  stops.push(t.close)
  return t
}

const DEFAULTS = {
  sampler: 'parentbased_always_on',
  ratio: 1,
  queueLimit: 2048,
  batchLimit: 512,
  delayMs: 5000,
} as const

test('no URL, key, name, address or text of a check, a channel or a receiver is in anything that is sent', async () => {
  const t = await begin(MAIL_SERVER)
  const hook = { kind: 'webhook', name: 'Hook-hunter2', settings: webhook('https://hooks.example.org/hunter2') }
  const mail = { kind: 'email', name: 'Mail-hunter2', settings: { value: 'hunter2@example.org' } }
  const made = []
  for (const channel of [hook, mail]) made.push(await createChannel(t.app.deps, t.actor, channel))
  const json = { name: 'Backup-hunter2', tags: 'hunter2', desc: 'hunter2', channels: '*', slug: 'job-hunter2' }
  const check = await t.json<{ uuid: string; unique_key: string }>('POST', '/api/v3/checks/', {
    key: t.keys.apiKey,
    json,
  })
  t.answerWith(answered(500, { 'x-why': 'hunter2' }, 'hunter2'))
  t.answerMailWith({ kind: 'refused', stage: 'recipient', status: 550, response: '550 hunter2 is unknown' })
  const headers = { 'user-agent': 'hunter2', 'x-forwarded-for': '198.51.100.7', cookie: 'hunter2' }
  await t.call('POST', `/ping/${check.uuid}`, { headers, body: 'hunter2' })
  await t.call('POST', `/ping/${t.keys.pingKey}/job-hunter2/fail?rid=${crypto.randomUUID()}`, {
    headers,
    body: 'hunter2',
  })
  await t.app.settle('deliveries')
  t.clock.advance({ hours: 48 })
  await t.app.settle('overdue')
  await t.call('GET', `/api/v3/checks/${check.uuid}?tag=hunter2`, { key: t.keys.apiKey })
  expect(t.sent.length + t.mails.length).toBe(2)
  const names = new Set((await t.spans()).map(({ name }) => name))
  for (const name of ['POST /ping/*', 'commit pings', 'loop deliveries', 'send http', 'send mail']) {
    expect(names).toContain(name)
  }
  const sent = t.receiver.raw.join('\n')
  expect(sent).toContain('hooks.example.org')
  const secrets = [
    'hunter2',
    check.uuid,
    ...made.map(({ id }) => id),
    t.project.id,
    '198.51.100.7',
    ...Object.values(t.keys),
  ]
  for (const secret of secrets) expect(sent).not.toContain(secret)
})

test("spans have the service's name", async () => {
  const t = await begin()
  await t.call('GET', '/healthz')
  const [span] = await t.spans()
  expect(span?.resource).toMatchObject({ 'service.name': 'overdue', 'service.version': expect.any(String) })
})

/** Sends so many requests in one turn of the event loop, without an app. @returns the number of their spans that arrive */
async function arriving(settings: Partial<TracingSettings>, requests: number, headers: Record<string, string> = {}) {
  const receiver = otlpReceiver()
  const url = `${receiver.url}/v1/traces`
  const telemetry = startTelemetry({ ...DEFAULTS, url, ...settings }, () => {}, '1')
  for (let i = 0; i < requests; i += 1) {
    telemetry.requests.answer(new Request('http://localhost/', { headers }), () => new Response())
  }
  await telemetry.stop()
  await receiver.stop()
  return receiver.spans.length
}

describe('the sampler', () => {
  const ofOwn: readonly [sampler: SamplerName, ratio: number, spans: number][] = [
    ['always_on', 0, 1],
    ['always_off', 1, 0],
    ['traceidratio', 1, 1],
    ['traceidratio', 0, 0],
    ['parentbased_always_on', 0, 1],
    ['parentbased_always_off', 1, 0],
    ['parentbased_traceidratio', 1, 1],
    ['parentbased_traceidratio', 0, 0],
  ]
  test.each(ofOwn)('%s with %d keeps %d of a trace that begins here', async (sampler, ratio, spans) => {
    expect(await arriving({ sampler, ratio }, 1)).toBe(spans)
  })

  const ofOthers: readonly [sampler: SamplerName, spans: number][] = [
    ['always_off', 0],
    ['traceidratio', 0],
    ['parentbased_always_off', 1],
    ['parentbased_traceidratio', 1],
  ]
  test.each(ofOthers)('%s keeps %d of a trace that its caller records', async (sampler, spans) => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    expect(await arriving({ sampler, ratio: 0 }, 1, { traceparent })).toBe(spans)
  })
})

test('the queue holds its limit of spans besides those being exported, and the rest are dropped', async () => {
  expect(await arriving({ queueLimit: 5, batchLimit: 3 }, 100)).toBe(3 + 5)
})

test('a failing collector is logged once, and affects nothing else', async () => {
  const t = await begin({ OTEL_BSP_SCHEDULE_DELAY: '0' })
  t.receiver.answerWith(401)
  const ping = () => t.call('GET', `/ping/${t.keys.pingKey}/job?create=1`)
  for (let i = 0; i < 5; i += 1) expect((await ping()).ok).toBe(true)
  await t.app.stop()
  expect(t.log.filter(({ message }) => message.includes('traces'))).toEqual([
    {
      level: 'warning',
      message: 'cannot export traces; dropping them until it works again',
      details: { reason: 'Unauthorized' },
    },
  ])
})
