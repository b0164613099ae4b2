/** The management API: one factory, mounted for each version. */
import { Elysia } from 'elysia'
import type { ApiVersion } from '../../domain/representation.ts'
import { badges } from './badges.ts'
import { callbacks } from './callbacks.ts'
import { channels } from './channels.ts'
import { checks } from './checks.ts'
import type { ApiDeps } from './door.ts'
import { flips } from './flips.ts'
import { metrics } from './metrics.ts'
import { openapi } from './openapi.ts'
import { pings } from './pings.ts'
import { status } from './status.ts'

export function api(deps: ApiDeps, version: ApiVersion) {
  return new Elysia({ prefix: `/api/v${version}` })
    .use(checks(deps, version))
    .use(pings(deps, version))
    .use(flips(deps, version))
    .use(channels(deps))
    .use(badges(deps))
    .use(status(deps))
    .use(metrics(deps))
    .use(callbacks(deps))
    .use(openapi(deps, version))
}
