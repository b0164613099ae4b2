/** Shows every request to whoever traces it, with the route that it took. Mounted first, and only where tracing is on. */
import { type AnyElysia, Elysia } from 'elysia'

type Answer = Response | Promise<Response>

export interface RequestTracer {
  /** Answers a request by `next`. What the router sends on to another URL comes here once more, inside of that. */
  answer(request: Request, next: () => Answer): Answer
  /** @param template as `/ping/*`; called while `next` is at work, and the last one counts */
  route(template: string): void
}

export function traced(tracer: RequestTracer): AnyElysia {
  return (
    new Elysia({ name: 'traced' })
      // The one place that sees a request from its arrival to its answer. The framework's type for `next` is not what it is.
      .wrap((next, request) => () => tracer.answer(request, () => next(request) as unknown as Answer))
      .onTransform({ as: 'global' }, ({ route }) => tracer.route(route))
      // What fails earlier, such as a body that is no JSON, has a route too.
      .onError({ as: 'global' }, ({ route }) => tracer.route(route))
  )
}
