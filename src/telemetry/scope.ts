/** The request or loop run to which a promise chain belongs, and its span. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Attributes, type Context, ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api'

export class Scope {
  /** Parent context for child spans. */
  readonly context: Context
  route: string | null = null
  /** false for a run that found nothing to do, whose span is not exported */
  hasWork = false

  constructor(readonly span: Span) {
    this.context = trace.setSpan(ROOT_CONTEXT, span)
  }

  /** Records what a run has done. */
  record(attributes: Attributes): void {
    this.span.setAttributes(attributes)
    this.hasWork = true
  }
}

const scopes = new AsyncLocalStorage<Scope>()

export function currentScope(): Scope | undefined {
  return scopes.getStore()
}

export function runInScope<Result>(scope: Scope, work: () => Result): Result {
  return scopes.run(scope, work)
}

/** @param message this program's own text; other programs' messages may contain secrets */
export function markFailed(span: Span, message: string, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR, message })
}
