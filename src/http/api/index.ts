/**
 * The management API that is compatible with Healthchecks. One factory creates it for each version. Endpoints that Healthchecks lacks are
 * in `overdue/`.
 *
 * An endpoint is a `Resource` behind the door (`door/door.ts`), in the file that is named after the resource. The `….openapi.ts` file next
 * to it describes the endpoint, using `description/`. List a new description in `openapi-document.ts`. Tests fail if there is a route that
 * no document describes or that no test calls. Long responses are read in pages (`services/common/pages.ts`).
 */
import { Elysia } from 'elysia'
import type { ApiVersion } from '../../domain/check/representation.ts'
import { badges } from './badges.ts'
import { callbacks } from './callbacks.ts'
import { channels } from './channels.ts'
import { checks } from './checks.ts'
import type { ApiDeps } from './door/door.ts'
import { flips } from './flips.ts'
import { metrics } from './metrics.ts'
import { openapi } from './openapi.ts'
import { pings } from './pings.ts'
import { preview } from './preview.ts'
import { status } from './status.ts'

export function api(deps: ApiDeps, version: ApiVersion) {
  return new Elysia({ prefix: `/api/v${version}` })
    .use(checks(deps, version))
    .use(preview(deps))
    .use(pings(deps, version))
    .use(flips(deps, version))
    .use(channels(deps))
    .use(badges(deps))
    .use(status(deps))
    .use(metrics(deps))
    .use(callbacks(deps))
    .use(openapi(async () => (await import('./openapi-document.ts')).openApiDocument(version, deps)))
}
