/**
 * The management API: one factory, mounted for each version.
 *
 * An endpoint is a `Resource` behind the door (`door/door.ts`), in the file of its noun. Beside it, `….openapi.ts` describes it, with
 * `description/`; a new description is listed in `openapi-document.ts`. Tests fail for a route that is not described or never called.
 * A long answer is read in pages (`services/common/pages.ts`).
 */
import { Elysia } from 'elysia'
import type { ApiVersion } from '../../domain/check/representation.ts'
import { type BadgesDeps, badges } from './badges.ts'
import { type CallbacksDeps, callbacks } from './callbacks.ts'
import { channels } from './channels.ts'
import { type ChecksDeps, checks } from './checks.ts'
import { type FlipsDeps, flips } from './flips.ts'
import { type MetricsDeps, metrics } from './metrics.ts'
import { type OpenApiDeps, openapi } from './openapi.ts'
import { type PingsDeps, pings } from './pings.ts'
import { type PreviewDeps, preview } from './preview.ts'
import { status } from './status.ts'

export type ApiDeps = BadgesDeps &
  CallbacksDeps &
  ChecksDeps &
  FlipsDeps &
  MetricsDeps &
  OpenApiDeps &
  PingsDeps &
  PreviewDeps

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
    .use(openapi(deps, version))
}
