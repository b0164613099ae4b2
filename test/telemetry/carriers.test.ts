import { expect, test } from 'bun:test'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { Carriers, Exchanges } from '../../src/domain/carrier/carriers.ts'
import { traceCarriers } from '../../src/telemetry/carriers.ts'
import { recordingTracer } from '../support/recording-tracer.ts'
import { rejection } from '../support/store-builders.ts'
import { answered } from '../support/test-app.ts'

const request = () =>
  new Request('https://user:hunter2@hooks.example.org:8443/services/hunter2?key=hunter2', { method: 'PUT' })
const mail: Exchanges['mail']['message'] = {
  id: crypto.randomUUID(),
  to: 'hunter2@example.org',
  subject: 'hunter2',
  text: 'hunter2',
  html: 'hunter2',
  unsubscribeUrl: null,
}
const call: Exchanges['signal']['message'] = { socket: '/hunter2', id: 'hunter2', method: 'send', params: {} }
const command = { command: 'echo hunter2' }

interface Answers {
  readonly http?: Exchanges['http']['answer']
  readonly mail?: Exchanges['mail']['answer']
  readonly shell?: Exchanges['shell']['answer']
  readonly signal?: Exchanges['signal']['answer']
}

function traced(answers: Answers) {
  const { tracer, spans } = recordingTracer()
  const give = <Answer>(answer: Answer | undefined) => {
    if (answer === undefined) throw new Error('nobody expected that')
    return Promise.resolve(answer)
  }
  const carriers: Carriers = {
    http: async () => give(answers.http),
    mail: async () => give(answers.mail),
    shell: async () => give(answers.shell),
    signal: async () => give(answers.signal),
  }
  return { spans, carriers: traceCarriers(tracer, carriers) }
}

const HTTP = { 'overdue.carrier': 'http', 'http.request.method': 'PUT', 'server.address': 'hooks.example.org' }
const unreachable = { kind: 'unreachable', error: 'hunter2', permanent: false } as const

type Case = readonly [what: string, answers: Answers, attributes: object, error: string | null]
const cases: readonly Case[] = [
  ['a request that is taken', { http: answered(204) }, { ...HTTP, 'http.response.status_code': 204 }, null],
  [
    'a request that is refused',
    { http: answered(404, { 'x-why': 'hunter2' }, 'hunter2') },
    { ...HTTP, 'http.response.status_code': 404, 'error.type': '404' },
    'answered 404',
  ],
  ['a request without an answer', { http: unreachable }, { ...HTTP, 'error.type': 'unreachable' }, 'not reached'],
  [
    'a mail that is taken',
    { mail: { kind: 'accepted', response: '250 hunter2' } },
    { 'overdue.carrier': 'mail' },
    null,
  ],
  [
    'a mail that is refused',
    { mail: { kind: 'refused', stage: 'recipient', status: 550, response: '550 hunter2' } },
    { 'overdue.carrier': 'mail', 'error.type': '550' },
    'recipient refused with 550',
  ],
  [
    'a mail without a server',
    { mail: unreachable },
    { 'overdue.carrier': 'mail', 'error.type': 'unreachable' },
    'not reached',
  ],
  ['a command that works', { shell: { kind: 'exited', status: 0 } }, { 'overdue.carrier': 'shell' }, null],
  [
    'a command that does not work',
    { shell: { kind: 'exited', status: 3 } },
    { 'overdue.carrier': 'shell', 'error.type': '3' },
    'exited with 3',
  ],
  [
    'a command without an end',
    { shell: { kind: 'aborted', error: 'hunter2' } },
    { 'overdue.carrier': 'shell', 'error.type': 'aborted' },
    'did not finish',
  ],
  ['a call that works', { signal: { kind: 'answered', result: 'hunter2' } }, { 'overdue.carrier': 'signal' }, null],
  [
    'a call that is refused',
    { signal: { kind: 'answered', error: 'hunter2' } },
    { 'overdue.carrier': 'signal', 'error.type': 'refused' },
    'answered with an error',
  ],
  [
    'a call without an answer',
    { signal: unreachable },
    { 'overdue.carrier': 'signal', 'error.type': 'unreachable' },
    'not reached',
  ],
]

test.each(cases)('%s is a span without a secret in it', async (_, answers, attributes, error) => {
  const { carriers, spans } = traced(answers)
  const answer = await (answers.http
    ? carriers.http(request())
    : answers.mail
      ? carriers.mail(mail)
      : answers.shell
        ? carriers.shell(command)
        : carriers.signal(call))
  const [name] = Object.keys(answers)
  expect<unknown>(answer).toBe(Object.values(answers)[0])
  const [span] = spans()
  expect(span?.name).toBe(`send ${name}`)
  expect(span?.kind).toBe(SpanKind.CLIENT)
  expect<unknown>(span?.attributes).toEqual(attributes)
  expect<unknown>(span?.status).toEqual(
    error === null ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error },
  )
  expect(JSON.stringify([span?.name, span?.attributes, span?.status, span?.events, span?.links])).not.toContain(
    'hunter2',
  )
})

test('a message is sent unchanged, without trace headers', async () => {
  const { tracer } = recordingTracer()
  const given: Request[] = []
  const nobody = () => Promise.reject(new Error('nobody expected that'))
  const http = async (message: Request) => {
    given.push(message)
    return answered(200)
  }
  const sent = request()
  await traceCarriers(tracer, { http, mail: nobody, shell: nobody, signal: nobody }).http(sent)
  expect(given[0]).toBe(sent)
  expect([...sent.headers]).toEqual([])
})

test('the span of a failing carrier ends', async () => {
  const { carriers, spans } = traced({})
  expect(await rejection(carriers.mail(mail))).toBeInstanceOf(Error)
  expect(spans()).toHaveLength(1)
})
