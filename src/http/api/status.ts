/** `status`: whether the database can be read; no key, and no CORS, since it is for probes and not for pages. */
import { Elysia } from 'elysia'
import { probeDatabase } from '../../services/health.ts'
import { requireMethod } from '../errors.ts'
import type { ApiDeps } from './door.ts'

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
