/**
 * Creates spans for transactions that write pings. Several requests share a transaction. The transaction's span is a child of the first
 * request's span and has links to the others.
 */
import { ROOT_CONTEXT, type SpanContext, TraceFlags, type Tracer, trace } from '@opentelemetry/api'
import type { SignalTarget } from '../domain/ping/signal.ts'
import type { PingReceiver } from '../services/pings/pings.ts'
import type { Arrival, Store } from '../store/store.ts'
import { currentScope, markFailed } from './scope.ts'

interface PingTracer {
  receiver(receiver: PingReceiver): PingReceiver
  store(pings: Store['pings']): Store['pings']
}

export function createPingTracer(tracer: Tracer): PingTracer {
  /** The target object is the only thing that a request and its commit have in common. */
  const requests = new WeakMap<SignalTarget, SpanContext>()

  const startSpan = (arrivals: readonly Arrival[]) => {
    const contexts = arrivals.flatMap(({ target }) => requests.get(target) ?? [])
    const sampled = contexts.filter(({ traceFlags }) => (traceFlags & TraceFlags.SAMPLED) !== 0)
    const [first = contexts[0], ...others] = sampled
    const parent = first ? trace.setSpanContext(ROOT_CONTEXT, first) : ROOT_CONTEXT
    const links = others.map((context) => ({ context }))
    return tracer.startSpan('commit pings', { links, attributes: { 'overdue.pings': arrivals.length } }, parent)
  }

  return {
    receiver: (receiver) => ({
      receive(target, signal, rest) {
        const scope = currentScope()
        if (scope) requests.set(target, scope.span.spanContext())
        return receiver.receive(target, signal, rest)
      },
      drain: () => receiver.drain(),
    }),
    store: (pings) => ({
      ...pings,
      async commit(arrivals, rules) {
        const span = startSpan(arrivals)
        try {
          return await pings.commit(arrivals, rules)
        } catch (error) {
          markFailed(span, 'nothing was written', 'commit')
          throw error
        } finally {
          span.end()
        }
      },
    }),
  }
}
