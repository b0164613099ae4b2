/**
 * Creates spans for outgoing messages, without changing the messages. The span of an HTTP request contains the host but never the path,
 * which is often the receiver's secret.
 */
import { type Attributes, ROOT_CONTEXT, SpanKind, type Tracer } from '@opentelemetry/api'
import type { Carrier, CarrierName, Carriers, Exchanges } from '../domain/carrier/carriers.ts'
import { currentScope, markFailed } from './scope.ts'

type Answer<Name extends CarrierName> = Exchanges[Name]['answer']

interface Failure {
  readonly message: string
  /** `error.type` as in the semantic conventions */
  readonly type: string
}

const UNREACHABLE: Failure = { message: 'not reached', type: 'unreachable' }

export function traceCarriers(tracer: Tracer, { http, mail, shell, signal }: Carriers): Carriers {
  return {
    http: traced(tracer, 'http', http, httpFailure, describeRequest, describeAnswer),
    mail: traced(tracer, 'mail', mail, mailFailure),
    shell: traced(tracer, 'shell', shell, shellFailure),
    signal: traced(tracer, 'signal', signal, signalFailure),
  }
}

function traced<Name extends CarrierName>(
  tracer: Tracer,
  name: Name,
  carry: Carrier<Name>,
  failureOf: (answer: Answer<Name>) => Failure | null,
  describe: (message: Exchanges[Name]['message']) => Attributes = () => ({}),
  describeEnd: (answer: Answer<Name>) => Attributes = () => ({}),
): Carrier<Name> {
  return async (message) => {
    const attributes = { 'overdue.carrier': name, ...describe(message) }
    const parent = currentScope()?.context ?? ROOT_CONTEXT
    const span = tracer.startSpan(`send ${name}`, { kind: SpanKind.CLIENT, attributes }, parent)
    try {
      const answer = await carry(message)
      const failure = failureOf(answer)
      span.setAttributes(describeEnd(answer))
      if (failure) markFailed(span, failure.message, failure.type)
      return answer
    } finally {
      span.end()
    }
  }
}

function describeRequest({ method, url }: Request): Attributes {
  return { 'http.request.method': method, 'server.address': new URL(url).hostname }
}

function describeAnswer(answer: Answer<'http'>): Attributes {
  return answer.kind === 'answered' ? { 'http.response.status_code': answer.status } : {}
}

function httpFailure(answer: Answer<'http'>): Failure | null {
  if (answer.kind === 'unreachable') return UNREACHABLE
  return answer.status < 400 ? null : { message: `answered ${answer.status}`, type: String(answer.status) }
}

function mailFailure(answer: Answer<'mail'>): Failure | null {
  if (answer.kind === 'unreachable') return UNREACHABLE
  if (answer.kind === 'accepted') return null
  return { message: `${answer.stage} refused with ${answer.status}`, type: String(answer.status) }
}

function shellFailure(answer: Answer<'shell'>): Failure | null {
  if (answer.kind === 'aborted') return { message: 'did not finish', type: 'aborted' }
  return answer.status === 0 ? null : { message: `exited with ${answer.status}`, type: String(answer.status) }
}

function signalFailure(answer: Answer<'signal'>): Failure | null {
  if (answer.kind === 'unreachable') return UNREACHABLE
  return answer.error === undefined ? null : { message: 'answered with an error', type: 'refused' }
}
