/** The table of all pages and their actions. Nothing else mounts a page. */
import type { Deps } from '../../services/deps.ts'
import { FILE_ROUTES } from './pages/files.ts'
import { HOME_ROUTE } from './pages/home.ts'
import { mailLinkRoutes } from './pages/mail-links.ts'
import { referenceRoute } from './pages/reference.ts'
import type { Route } from './route.ts'

export function pageRoutes(deps: Deps): readonly Route[] {
  return [HOME_ROUTE, ...mailLinkRoutes(deps), referenceRoute(deps), ...FILE_ROUTES]
}
