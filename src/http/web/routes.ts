/** The table of all pages and their actions. Pages are not mounted anywhere else. */

import { NightBriefs } from '../../services/overview/night-briefs.ts'
import { NightRows } from '../../services/overview/night-rows.ts'
import { PastNights } from '../../services/overview/past-nights.ts'
import { FILE_ROUTES } from './assets/files.ts'
import { overdueRunRoute } from './assets/overdue-run.ts'
import type { PageDeps } from './page.ts'
import { PAGES } from './pages/index.ts'
import { liveRoutes } from './pages/live/routes.ts'
import type { Route } from './route.ts'
import { createTestLimit } from './test-limit.ts'

export function pageRoutes(given: Omit<PageDeps, 'tests' | 'nights' | 'pastNights' | 'nightBriefs'>): readonly Route[] {
  const nights = new NightRows(given)
  const deps: PageDeps = {
    ...given,
    tests: createTestLimit(given.now),
    nights,
    pastNights: new PastNights(given),
    nightBriefs: new NightBriefs({ ...given, nights }),
  }
  return [
    ...PAGES.flatMap(({ routes, menu, under, help }) =>
      routes(deps).map((route) => ({ ...route, menu: menu ?? under, help })),
    ),
    ...liveRoutes(deps, PAGES),
    ...FILE_ROUTES,
    overdueRunRoute(deps),
  ]
}
