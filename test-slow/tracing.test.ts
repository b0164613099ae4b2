/** Tracing in the real program: the modules that it loads, and its behaviour with failing receivers. */
import { afterEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { median } from '../bench/support/figures.ts'
import { startTelemetry } from '../src/telemetry/index.ts'
import { freePort } from '../test/support/free-port.ts'
import { type OtlpReceiver, otlpReceiver } from '../test/support/otlp-receiver.ts'
import { overdue, type Served, serve } from '../test/support/served.ts'
import { refusing, silent } from './support/receivers.ts'

const PRELOADED = { BUN_OPTIONS: `--preload ${join(import.meta.dir, 'support/log-imports.ts')}` }
/** Limit for a stop. The server takes five seconds at most. Docker kills it after ten. */
const STOPS_WITHIN_MS = 9_000
const PINGS = 3_000
const EXPORT_TIMEOUT_MS = 2_000
/** Limit for the pings, less than the time-out of an export. */
const PINGS_WITHIN_MS = 1_500
const WARNING = 'cannot export traces'

let stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop()
  stops = []
})

async function started(settings: Record<string, string>): Promise<Served> {
  const server = await serve(settings)
  stops.push(server.stop)
  return server
}

function receiver(port?: number): OtlpReceiver {
  const made = otlpReceiver(port)
  stops.push(made.stop)
  return made
}

/** Stops the server now instead of after the test. @returns milliseconds that this took */
async function stopTime(server: Served): Promise<number> {
  stops = stops.filter((stop) => stop !== server.stop)
  const before = performance.now()
  await server.stop()
  return performance.now() - before
}

/** Creates a check. @returns its ping URL */
async function pingUrl({ databaseUrl, baseUrl }: Served): Promise<string> {
  const project = await overdue<{ ping_key: string }>(databaseUrl, 'project', 'create', 'Traced')
  const url = `${baseUrl}/ping/${project.ping_key}/job`
  expect((await fetch(`${url}?create=1`)).status).toBe(201)
  return url
}

/** @returns median of the milliseconds that a ping took */
async function ping(url: string, count: number): Promise<number> {
  const times: number[] = []
  let left = count
  const connection = async () => {
    while (left > 0) {
      left -= 1
      const before = performance.now()
      const response = await fetch(url)
      expect(await response.text()).toBe('OK')
      times.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: 32 }, connection))
  return median(times)
}

const loaded = (server: Served) =>
  server
    .logs()
    .split('\n')
    .filter((line) => line.startsWith('loaded '))
const warnings = (server: Served) =>
  server
    .logs()
    .split('\n')
    .filter((line) => line.includes(WARNING))

describe('OpenTelemetry modules', () => {
  const off: readonly Record<string, string>[] = [
    {},
    { OTEL_SERVICE_NAME: 'overdue', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_TRACES_EXPORTER: 'none' },
  ]
  test.each(off)('are not loaded with %j', async (settings) => {
    const server = await started({ ...PRELOADED, ...settings })
    await ping(await pingUrl(server), 10)
    await stopTime(server)
    expect(loaded(server)).toEqual([])
  })

  // Proves that the tests above would notice a loaded module.
  test('are loaded when an endpoint is set', async () => {
    const { url } = receiver()
    const server = await started({ ...PRELOADED, OTEL_EXPORTER_OTLP_ENDPOINT: url })
    await stopTime(server)
    expect(loaded(server).join()).toContain('/exporter-trace-otlp-proto/')
  })
})

test('the last spans are delivered when the server stops, with the configured headers and service name', async () => {
  const { url, spans, headers } = receiver()
  const server = await started({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter2',
    OTEL_SERVICE_NAME: 'overdue-of-tests',
  })
  await ping(await pingUrl(server), 1_000)
  expect(await stopTime(server)).toBeLessThan(STOPS_WITHIN_MS)
  const pings = spans.filter(({ name }) => name === 'GET /ping/*')
  expect(pings).toHaveLength(1_001)
  expect(pings[0]?.resource['service.name']).toBe('overdue-of-tests')
  expect(headers[0]?.get('authorization')).toBe('Bearer hunter2')
  expect(warnings(server)).toEqual([])
})

const failing: readonly [
  what: string,
  () => Promise<{ url: string; stop(): Promise<void> }> | { url: string; stop(): Promise<void> },
][] = [
  ['refuses connections', refusing],
  ['never answers', silent],
  [
    'answers 403',
    () => {
      const forbidding = otlpReceiver()
      forbidding.answerWith(403)
      return forbidding
    },
  ],
]
test.each(failing)(
  'an endpoint that %s delays neither pings nor the shutdown',
  async (_, make) => {
    const { url, stop } = await make()
    stops.push(stop)
    const settings = {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_TIMEOUT: String(EXPORT_TIMEOUT_MS),
      OTEL_BSP_SCHEDULE_DELAY: '100',
    }
    const server = await started(settings)
    const target = await pingUrl(server)
    expect(await ping(target, PINGS)).toBeLessThan(PINGS_WITHIN_MS)
    // Long enough for several exports to fail.
    await Bun.sleep(3 * EXPORT_TIMEOUT_MS)
    expect(await ping(target, PINGS)).toBeLessThan(PINGS_WITHIN_MS)
    expect(await stopTime(server)).toBeLessThan(STOPS_WITHIN_MS)
    expect(warnings(server)).toHaveLength(1)
  },
  180_000,
)

test('a receiver that fails and then hangs has at most three exports in progress, so they do not fill the memory', async () => {
  const FAILURES = 20
  const released = Promise.withResolvers<void>()
  let [seen, open, most] = [0, 0, 0]
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch() {
      if (++seen <= FAILURES) return new Response(null, { status: 400 })
      open += 1
      most = Math.max(most, open)
      await released.promise
      return new Response()
    },
  })
  stops.push(() => server.stop(true))
  const url = `${server.url}v1/traces`
  const settings = { url, sampler: 'always_on', ratio: 1, queueLimit: 20, batchLimit: 10, delayMs: 1 } as const
  const telemetry = startTelemetry(settings, () => {}, '1')
  for (const until = performance.now() + 2_000; seen <= FAILURES || performance.now() < until; await Bun.sleep(2)) {
    for (let i = 0; i < 100; i += 1) telemetry.requests.answer(new Request(url), () => new Response())
  }
  released.resolve()
  await telemetry.stop()
  expect(most).toBeLessThanOrEqual(3)
})

test('traces are delivered as soon as the receiver is available', async () => {
  const port = freePort()
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_EXPORTER_OTLP_TIMEOUT: '500' }
  const server = await started({ ...settings, OTEL_BSP_SCHEDULE_DELAY: '100', LOG_LEVEL: 'info' })
  const url = await pingUrl(server)
  for (const until = performance.now() + 25_000; warnings(server).length === 0; await Bun.sleep(50)) {
    expect(performance.now()).toBeLessThan(until)
    await ping(url, 1)
  }
  const { spans } = receiver(port)
  for (const until = performance.now() + 25_000; spans.length === 0; await Bun.sleep(50)) {
    expect(performance.now()).toBeLessThan(until)
    await ping(url, 1)
  }
  await stopTime(server)
  expect(server.logs()).toContain('exporting traces works again')
}, 60_000)

test('an unsupported protocol is rejected with a hint', async () => {
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }
  const failure = await serve(settings).catch((error: Error) => error.message)
  expect(failure).toContain('exit code 2')
  expect(failure).toContain('OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" is not supported; use http/protobuf')
})
