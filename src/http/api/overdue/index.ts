/**
 * Overdue's own API, for features that the management API of Healthchecks lacks. It has the same keys, doors, limits and error messages.
 *
 * Each resource is a file in this folder. Its description is the file beside it, listed in `document.ts`.
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
