/**
 * Overdue's own API, for features that Healthchecks' management API lacks. It uses the same keys, request checks, limits and error format.
 * Each resource is a file in this directory. The `….openapi.ts` file next to it describes the resource, and `document.ts` lists these
 * descriptions.
 */
import { Elysia } from 'elysia'
import type { ApiDeps } from '../door/door.ts'
import { openapi } from '../openapi.ts'
import { incidents } from './incidents.ts'
import { silences } from './silences.ts'

export function ownApi(deps: ApiDeps) {
  return new Elysia({ prefix: '/api/overdue/v1' })
    .use(silences(deps))
    .use(incidents(deps))
    .use(openapi(async () => (await import('./document.ts')).ownDocument(deps)))
}
