import { expect, test } from 'bun:test'
import { openHealthchecks, openHealthchecksServer } from '../src/import-sources.ts'
import { registry } from '../src/transports/index.ts'
import { handClock } from './support/clock.ts'
import { NOON, rejection, testRandom } from './support/store-builders.ts'

test('after a stop nothing more is asked of a running server', async () => {
  const stop = new AbortController()
  let requests = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch() {
      requests += 1
      stop.abort()
      return Response.json({ checks: [], channels: [] })
    },
  })
  const opening = openHealthchecksServer({
    url: server.url.href,
    apiKeys: ['x'.repeat(32)],
    names: [],
    now: handClock().now,
    signal: stop.signal,
    allowPrivateAddresses: true,
  })
  expect(await rejection(opening)).toMatchObject({ code: 'import-stopped' })
  expect(requests).toBe(1)
  await server.stop(true)
})

test('after a stop nobody waits for a PostgreSQL that has fallen silent', async () => {
  using silent = silentPostgres()
  const stop = new AbortController()
  const options = {
    secret: null,
    isSecretVerified: false,
    projects: null,
    now: NOON,
    random: testRandom,
    transports: registry,
  }
  const opening = openHealthchecks({ postgres: silent.url }, options, stop.signal)
  await silent.asked
  stop.abort()
  expect(await rejection(opening)).toMatchObject({ code: 'import-stopped' })
})

test('after a stop nobody waits for a server that does not answer', async () => {
  const stop = new AbortController()
  const asked = Promise.withResolvers<void>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch() {
      asked.resolve()
      return new Promise<Response>(() => {})
    },
  })
  const opening = openHealthchecksServer({
    url: server.url.href,
    apiKeys: ['x'.repeat(32)],
    names: [],
    now: handClock().now,
    signal: stop.signal,
    allowPrivateAddresses: true,
  })
  await asked.promise
  stop.abort()
  expect(await rejection(opening)).toMatchObject({ code: 'import-stopped' })
  await server.stop(true)
})

/** Lets everybody in, and answers nothing that is asked. */
function silentPostgres() {
  const asked = Promise.withResolvers<void>()
  const [TLS, START] = [80_877_103, 196_608]
  const LET_IN = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])
  const listener = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket, bytes) {
        const code = bytes.length < 8 ? 0 : bytes.readInt32BE(4)
        if (code === TLS) socket.write('N')
        else if (code === START) socket.write(LET_IN)
        else asked.resolve()
      },
    },
  })
  return {
    url: `postgres://somebody@127.0.0.1:${listener.port}/hc`,
    asked: asked.promise,
    [Symbol.dispose]: () => listener.stop(true),
  }
}
