/** What the program is at while a promise chain runs: the request or the run of a loop, and its span. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Attributes, type Context, ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api'

export class Scope {
  /** For spans that are to be children of this one. */
  readonly context: Context
  route: string | null = null
  /** false: a run that has found nothing to do, which nobody wants to see */
  isWorthTelling = false

  constructor(readonly span: Span) {
    this.context = trace.setSpan(ROOT_CONTEXT, span)
  }

  /** Notes what a run has done. */
  note(attributes: Attributes): void {
    this.span.setAttributes(attributes)
    this.isWorthTelling = true
  }
}

const scopes = new AsyncLocalStorage<Scope>()

export function currentScope(): Scope | undefined {
  return scopes.getStore()
}

export function runInScope<Result>(scope: Scope, work: () => Result): Result {
  return scopes.run(scope, work)
}

/** @param message in our words: what others say may hold secrets of theirs and ours */
export function markFailed(span: Span, message: string, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR, message })
}
