import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createChannel } from '../../src/services/channels/channels.ts'
import { createLoopTracer } from '../../src/telemetry/loops.ts'
import { currentScope } from '../../src/telemetry/scope.ts'
import { addAccount, setRole } from '../support/browser.ts'
import { recordingTracer } from '../support/recording-tracer.ts'
import { anAuthor, rejection, webhook } from '../support/store-builders.ts'
import { answered } from '../support/test-app.ts'
import { named, type TracedApp, tracedApp } from '../support/traced-app.ts'

let t: TracedApp
beforeEach(async () => {
  t = await tracedApp({ env: { EMAIL_HOST: 'mail.example.org', DEFAULT_FROM_EMAIL: 'overdue@example.org' } })
})
afterEach(() => t.close())

/** Creates a check that is up, with a channel for its flips. */
async function watched(): Promise<void> {
  await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Hook', settings: webhook() })
  await t.call('GET', `/ping/${t.keys.pingKey}/job?create=1`)
}

test('a check that times out gives a run with its flip, and a run with its delivery', async () => {
  await watched()
  t.clock.advance({ hours: 48 })
  await t.app.settle('overdue')
  await t.app.settle('deliveries')
  const spans = await t.spans()
  expect(named(spans, 'loop overdue')).toMatchObject({
    kind: 'internal',
    parentSpanId: '',
    attributes: { 'overdue.flips': 1 },
    error: null,
  })
  const run = named(spans, 'loop deliveries')
  expect(run).toMatchObject({ parentSpanId: '', attributes: { 'overdue.deliveries': 1 } })
  expect(named(spans, 'send http')).toMatchObject({ traceId: run.traceId, parentSpanId: run.spanId, kind: 'client' })
})

test('every attempt of a delivery is a child of the run that has claimed it', async () => {
  await watched()
  t.answerWith(answered(500))
  await t.call('GET', `/ping/${t.keys.pingKey}/job/fail`)
  await t.app.settle('deliveries')
  t.clock.advance({ hours: 1 })
  await t.app.settle('deliveries')
  const spans = await t.spans()
  const runs = spans.filter(({ name }) => name === 'loop deliveries').map(({ spanId }) => spanId)
  const attempts = spans.filter(({ name }) => name === 'send http')
  expect(attempts.map(({ parentSpanId }) => parentSpanId)).toEqual(runs)
  expect(attempts.map(({ error }) => error)).toEqual(['answered 500', 'answered 500'])
})

test('a report is a run of mailings with its email', async () => {
  await createChannel(t.app.deps, t.actor, {
    kind: 'email',
    name: 'Ops',
    settings: { value: 'ops@example.org', report: 'daily' },
  })
  await t.call('GET', `/ping/${t.keys.pingKey}/job?create=1`)
  t.clock.advance({ hours: 48 })
  await t.app.settle('mailings')
  const spans = await t.spans()
  const [run] = spans.filter(({ name }) => name === 'loop mailings')
  expect(run?.attributes).toEqual({ 'overdue.mailings': 1 })
  expect(named(spans, 'send mail').parentSpanId).toBe(run?.spanId ?? 'none')
})

test('a morning mail is a run of mailings with its email', async () => {
  const account = await addAccount(t, { isEmailConfirmed: true })
  await setRole(t, account, 'read-only')
  await t.app.deps.store
    .by(anAuthor())
    .accounts.change(account.id, (stored) => ({ ...stored, morningMail: { wish: 'always', hour: 8 } }), null)
  await t.call('GET', `/ping/${t.keys.pingKey}/job?create=1`)
  t.clock.set('2026-03-05T08:00:00Z')
  await t.app.settle('mailings')
  const spans = await t.spans()
  const [run] = spans.filter(({ name }) => name === 'loop mailings')
  expect(run?.attributes).toEqual({ 'overdue.morning_mails': 1 })
  expect(named(spans, 'send mail').parentSpanId).toBe(run?.spanId ?? 'none')
})

test('the number of flips and pings that retention removed is recorded', async () => {
  await watched()
  t.clock.advance({ hours: 200 * 24 })
  await t.app.settle('retention')
  expect(named(await t.spans(), 'loop retention').attributes).toEqual({ 'overdue.pruned': 1 })
})

test('runs without work leave no trace', async () => {
  await watched()
  await t.call('GET', '/healthz')
  for (const job of ['overdue', 'deliveries', 'mailings', 'retention', 'search', 'refused'] as const)
    await t.app.settle(job)
  const names = (await t.spans()).map(({ name }) => name)
  expect(names).toEqual(['commit pings', 'GET /ping/*', 'GET /healthz'])
})

test('a failed run is an error in our words, and still fails', async () => {
  await t.app.deps.store.close()
  expect(await rejection(t.app.settle('overdue'))).toBeInstanceOf(Error)
  expect(named(await t.spans(), 'loop overdue')).toMatchObject({ error: 'the run failed', parentSpanId: '' })
})

test('a run is a trace of its own, whatever woke it', async () => {
  const { tracer, spans } = recordingTracer()
  const loop = createLoopTracer(tracer)
  const noting = (count: number) => currentScope()?.record({ 'overdue.flips': count })
  const inner = loop('inner', async () => noting(1))
  const outer = loop('outer', async () => {
    await inner()
    noting(2)
  })
  await outer()
  expect(spans().map(({ name, parentSpanContext }) => [name, parentSpanContext])).toEqual([
    ['loop inner', undefined],
    ['loop outer', undefined],
  ])
  expect(spans().map(({ attributes }) => attributes)).toEqual([{ 'overdue.flips': 1 }, { 'overdue.flips': 2 }])
})
