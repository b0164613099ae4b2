/** Creates spans for HTTP requests, following the semantic conventions. Paths are left out because a ping URL is a secret. */
import { type Context, ROOT_CONTEXT, SpanKind, type Tracer, trace } from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import type { RequestTracer } from '../http/traced.ts'
import { currentScope, markFailed, runInScope, Scope } from './scope.ts'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'])

export function createRequestTracer(tracer: Tracer): RequestTracer {
  return {
    answer(request, next) {
      // The router calls this function again for the same request.
      if (currentScope()) return next()
      const isKnown = METHODS.has(request.method)
      const attributes = { 'http.request.method': isKnown ? request.method : '_OTHER' }
      const name = isKnown ? request.method : 'HTTP'
      const scope = new Scope(tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, callerOf(request)))
      const end = (response: Response) => {
        finish(scope, name, response.status)
        return response
      }
      const answer = runInScope(scope, next)
      return answer instanceof Promise ? answer.then(end) : end(answer)
    },
    route(template) {
      const scope = currentScope()
      if (scope) scope.route = template
    },
  }
}

/** Parses W3C Trace Context. `tracestate` is client input that this server does not use. */
function callerOf({ headers }: Request): Context {
  const header = headers.get('traceparent')
  const parent = header === null ? null : parseTraceParent(header)
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT
}

function finish({ span, route }: Scope, name: string, status: number): void {
  span.setAttribute('http.response.status_code', status)
  if (route) {
    span.setAttribute('http.route', route)
    span.updateName(`${name} ${route}`)
  }
  if (status >= 500) markFailed(span, `answered ${status}`, String(status))
  span.end()
}
