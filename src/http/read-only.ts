/** Rules for read-only paths, such as probes and metrics. Their responses are not cached and have no CORS headers. */
import { EXPOSITION_TYPE } from '../domain/metrics/exposition.ts'
import { requireMethod } from './errors.ts'
import { NOT_SNIFFED } from './headers.ts'

const METHODS = ['GET', 'HEAD']

/** @throws MethodNotAllowed unless the method is GET or HEAD */
export function requireReading(request: Request): void {
  requireMethod(request, METHODS)
}

const COMMON = { 'cache-control': 'no-store', ...NOT_SNIFFED }

export const METRICS_HEADERS = { 'content-type': EXPOSITION_TYPE, ...COMMON }

export function textAnswer(text: string, status = 200): Response {
  return new Response(text, { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...COMMON } })
}
