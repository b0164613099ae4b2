/** Reports every request and its route to the tracer. Mount this first, and only if tracing is on. */
import { type AnyElysia, Elysia } from 'elysia'

type Answer = Response | Promise<Response>

export interface RequestTracer {
  /** Calls `next` to answer a request. If a request is routed a second time, the second call is nested in the first. */
  answer(request: Request, next: () => Answer): Answer
  /** @param template the route's path, such as `/ping/*`; reported while `next` runs; if reported more than once, the last path is used */
  route(template: string): void
}

export function traced(tracer: RequestTracer): AnyElysia {
  return (
    new Elysia({ name: 'traced' })
      // Only `wrap` covers a request from its arrival to its response. Elysia's type for `next` is wrong, hence the cast.
      .wrap((next, request) => () => tracer.answer(request, () => next(request) as unknown as Answer))
      .onTransform({ as: 'global' }, ({ route }) => tracer.route(route))
      // A request that fails before `transform`, such as a request with invalid JSON, also has a route.
      .onError({ as: 'global' }, ({ route }) => tracer.route(route))
  )
}
