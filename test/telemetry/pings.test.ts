import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { rules } from '../../src/services/common/rules.ts'
import { createPingTracer } from '../../src/telemetry/pings.ts'
import { recordingTracer } from '../support/recording-tracer.ts'
import { rejection } from '../support/store-builders.ts'
import { named, type TracedApp, tracedApp } from '../support/traced-app.ts'

const headersOf = (trace: string, isSampled: boolean) => ({
  traceparent: `00-${trace.repeat(32)}-${'b'.repeat(16)}-0${isSampled ? 1 : 0}`,
})

let t: TracedApp
beforeEach(async () => {
  t = await tracedApp()
})
afterEach(() => t.close())

const ping = (headers: Record<string, string> = {}) =>
  t.call('POST', `/ping/${t.keys.pingKey}/job?create=1`, { headers, body: 'done' })
const commits = async () => (await t.spans()).filter(({ name }) => name === 'commit pings')

test('the commit of a ping is a child of its request', async () => {
  await ping()
  const spans = await t.spans()
  const request = named(spans, 'POST /ping/*')
  expect(named(spans, 'commit pings')).toMatchObject({
    traceId: request.traceId,
    parentSpanId: request.spanId,
    kind: 'internal',
    attributes: { 'overdue.pings': 1 },
    links: [],
    error: null,
  })
})

test('the commit of several pings is a child of the first, and linked to the others', async () => {
  await Promise.all([ping(), ping(), ping()])
  const spans = await t.spans()
  const requests = spans.filter(({ name }) => name === 'POST /ping/*').map(({ spanId }) => spanId)
  const commit = named(spans, 'commit pings')
  expect(commit.attributes['overdue.pings']).toBe(3)
  expect([commit.parentSpanId, ...commit.links].toSorted()).toEqual(requests.toSorted())
})

test('a commit belongs to requests that are recorded', async () => {
  await Promise.all([ping(headersOf('1', false)), ping(headersOf('2', true)), ping(headersOf('3', false))])
  expect(await commits()).toMatchObject([{ traceId: '2'.repeat(32), links: [], attributes: { 'overdue.pings': 3 } }])
})

test('a commit without recorded pings is not recorded either', async () => {
  await Promise.all([ping(headersOf('1', false)), ping(headersOf('2', false))])
  expect(await t.spans()).toEqual([])
})

test('a commit of pings without a request, such as email, is a trace of its own', async () => {
  const { deps } = t.app
  const target = { kind: 'id', id: crypto.randomUUID() } as const
  await deps.store.pings.commit([{ target, signal: null, receivedAt: deps.now() }], rules(deps))
  expect(await commits()).toMatchObject([{ parentSpanId: '', attributes: { 'overdue.pings': 1 } }])
})

describe('a commit that fails', () => {
  test('is an error in our words, and still fails for its caller', async () => {
    const { tracer, spans } = recordingTracer()
    const failure = new Error('the disk is on fire')
    const commitPings = createPingTracer(tracer).commitPings({ commitPings: () => Promise.reject(failure) })
    expect(await rejection(commitPings([], rules(t.app.deps)))).toBe(failure)
    expect(spans()).toMatchObject([{ status: { message: 'nothing was written' }, events: [] }])
  })
})
