import { expect, test } from 'bun:test'
import { openHealthchecksServer } from '../../src/app/import-sources.ts'
import { handClock } from '../support/clock.ts'
import { rejection } from '../support/store-builders.ts'

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
