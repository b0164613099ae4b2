/** `/admin`: shows administrators whether this server is healthy. */
import { createReadiness } from '../../../../../services/server/readiness.ts'
import { readServerHealth } from '../../../../../services/server/server-health.ts'
import { contextOf } from '../../../context.ts'
import type { PageDeps } from '../../../page.ts'
import type { Route } from '../../../route.ts'
import { adminRoute } from '../../new-route.ts'
import { ADMIN_TABS } from '../tabs.ts'
import { healthPage } from './page.ts'

export function adminHealthRoutes(deps: PageDeps): readonly Route[] {
  const readiness = createReadiness(deps)
  return [
    adminRoute('GET', ADMIN_TABS.health.path, async (visit) => {
      const { version, startedAt } = deps.ownProcess
      return healthPage({
        ...contextOf(deps, visit),
        health: await readServerHealth(deps, readiness, visit.person),
        place: deps.place,
        instance: { name: deps.instance.name, version, startedAt },
        mailServer: deps.mailSetup.inUse?.server ?? null,
      })
    }),
  ]
}
