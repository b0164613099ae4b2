/** What probes and scrapers ask for: read only, of this moment, and for no page of another origin. */
import { EXPOSITION_TYPE } from '../domain/exposition.ts'
import { requireMethod } from './errors.ts'
import { NOT_SNIFFED } from './sniffing.ts'

const METHODS = ['GET', 'HEAD']

/** @throws MethodNotAllowed unless the request only reads */
export function requireReading(request: Request): void {
  requireMethod(request, METHODS)
}

export function textAnswer(text: string, status = 200): Response {
  return answer(text, status, 'text/plain; charset=utf-8')
}

export function metricsAnswer(text: string): Response {
  return answer(text, 200, EXPOSITION_TYPE)
}

function answer(text: string, status: number, type: string): Response {
  const headers = { 'content-type': type, 'cache-control': 'no-store', ...NOT_SNIFFED }
  return new Response(text, { status, headers })
}
