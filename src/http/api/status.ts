/**
 * `status`: reports whether the database can be read. Probes call it without a key. It does not send CORS headers, because web pages don't
 * need it.
 */
import { Elysia } from 'elysia'
import { probeDatabase } from '../../services/server/readiness.ts'
import { requireMethod } from '../errors.ts'
import type { ApiDeps } from './door/door.ts'

const SAFE = ['GET', 'HEAD', 'OPTIONS']

export function status(deps: ApiDeps) {
  return new Elysia().all(
    '/status',
    async ({ request }) => {
      requireMethod(request, SAFE)
      await probeDatabase(deps)
      return new Response('OK', { headers: { 'content-type': 'text/plain; charset=utf-8' } })
    },
    { parse: 'none' },
  )
}
