/**
 * The table of all pages and their actions. Nothing else mounts a page.
 *
 * A page is a folder in `pages/`: views (data in, `Html` out), its `Route`s (`route.ts`), which say who may use it and how long it may
 * be kept, its style sheet (`styles/index.ts`), and what keeps it live. What several pages show is in `parts/`; `parts/toast.ts` has the
 * words after a redirect. The menu (`layout/menu.ts`) and the place of its help (`help-places.ts`) are lists. A fixture in
 * `test/http/web/routes.test.ts` asks the page as everybody, and `scripts/demo/pages.ts` takes its screenshot.
 */

import type { ImportDesk } from '../../import/engine/desk.ts'
import type { RateLimit } from '../../lib/limits/rate-limit.ts'
import type { ServerDeps } from '../../services/common/deps.ts'
import type { LongReads } from '../../services/common/long-reads.ts'
import type { PingReceiver } from '../../services/pings/pings.ts'
import { FILE_ROUTES } from './files.ts'
import { accountRoutes } from './pages/account/routes.ts'
import { identitiesRoutes } from './pages/account/security/identities.ts'
import { oidcRoutes } from './pages/account/security/oidc.ts'
import { accountsRoutes } from './pages/admin/accounts/routes.ts'
import { adminHealthRoutes } from './pages/admin/health/routes.ts'
import { adminImportRoutes } from './pages/admin/import/routes.ts'
import { adminProjectsRoutes } from './pages/admin/projects.ts'
import { adminSettingsRoutes } from './pages/admin/settings.ts'
import { auditRoutes } from './pages/audit/routes.ts'
import { badgesRoutes } from './pages/badges/routes.ts'
import { checkRoutes } from './pages/check/routes.ts'
import { checkFormsRoutes } from './pages/check-forms/routes.ts'
import { checksRoutes } from './pages/checks/routes.ts'
import { confirmRoutes } from './pages/confirm/routes.ts'
import { deliveriesRoutes } from './pages/deliveries/routes.ts'
import { firstPingRoutes } from './pages/first-ping/routes.ts'
import { healthchecksRoutes } from './pages/healthchecks.ts'
import { helpRoutes } from './pages/help/routes.ts'
import { instancesRoutes } from './pages/instances.ts'
import { integrationFormsRoutes } from './pages/integration-forms/routes.ts'
import { integrationsRoutes } from './pages/integrations/routes.ts'
import { createTestLimit } from './pages/integrations/test-limit.ts'
import { invitationRoutes } from './pages/invitation.ts'
import { liveRoutes } from './pages/live/routes.ts'
import { logRoutes } from './pages/log/routes.ts'
import { mailLinkRoutes } from './pages/mail-links.ts'
import { homeRoutes } from './pages/overview/routes.ts'
import { projectsRoutes } from './pages/projects.ts'
import { publicStatusRoutes } from './pages/public-status/routes.ts'
import { referenceRoute } from './pages/reference/routes.ts'
import { reportsRoutes } from './pages/reports/routes.ts'
import { searchRoutes } from './pages/search/routes.ts'
import { setUpRoutes } from './pages/set-up.ts'
import { settingsRoutes } from './pages/settings/routes.ts'
import { signInCodeRoutes } from './pages/sign-in/code.ts'
import { signInLinkRoutes } from './pages/sign-in/link.ts'
import { passwordRoutes } from './pages/sign-in/password.ts'
import { signInRoutes } from './pages/sign-in/routes.ts'
import { signUpRoutes } from './pages/sign-up.ts'
import { statusPageRoutes } from './pages/status-page/routes.ts'
import { teamRoutes } from './pages/team/routes.ts'
import { wallRoutes } from './pages/wall/routes.ts'
import type { Route } from './route.ts'

export type PageDeps = ServerDeps & {
  /** keyed by address */
  readonly publicLimit: RateLimit
  readonly longReads: LongReads
  readonly importDesk: ImportDesk
  readonly pings: PingReceiver
}

export function pageRoutes(deps: PageDeps): readonly Route[] {
  const tests = createTestLimit(deps.now)
  return [
    ...homeRoutes(deps),
    ...setUpRoutes(deps),
    ...signInRoutes(deps),
    ...signInLinkRoutes(deps),
    ...oidcRoutes(deps),
    ...identitiesRoutes(deps),
    ...signInCodeRoutes(deps),
    ...confirmRoutes(deps),
    ...passwordRoutes(deps),
    ...signUpRoutes(deps),
    ...invitationRoutes(deps),
    ...searchRoutes(deps),
    ...projectsRoutes(deps),
    ...checksRoutes(deps),
    ...checkFormsRoutes(deps),
    ...checkRoutes(deps),
    ...logRoutes(deps),
    ...deliveriesRoutes(deps),
    ...integrationFormsRoutes({ ...deps, tests }),
    ...liveRoutes(deps),
    ...firstPingRoutes(deps),
    ...integrationsRoutes({ ...deps, tests }),
    ...statusPageRoutes(deps),
    ...badgesRoutes(deps),
    ...reportsRoutes(deps),
    ...wallRoutes(deps),
    ...teamRoutes(deps),
    ...settingsRoutes(deps),
    ...accountRoutes(deps),
    ...adminHealthRoutes({ ...deps, tests }),
    ...accountsRoutes(deps),
    ...adminProjectsRoutes(deps),
    ...adminImportRoutes(deps),
    ...adminSettingsRoutes(deps),
    ...auditRoutes(deps),
    ...instancesRoutes(deps),
    ...mailLinkRoutes(deps),
    ...publicStatusRoutes(deps),
    referenceRoute(deps),
    ...helpRoutes(deps),
    ...healthchecksRoutes(deps),
    ...FILE_ROUTES,
  ]
}
