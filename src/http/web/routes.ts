/** The table of all pages and their actions. Nothing else mounts a page. */
import type { RateLimit } from '../../lib/rate-limit.ts'
import type { ServerDeps } from '../../services/common/deps.ts'
import type { LongReads } from '../../services/common/long-reads.ts'
import type { ImportDesk } from '../../services/import/desk.ts'
import type { PingReceiver } from '../../services/pings/pings.ts'
import { liveRoutes } from './live/routes.ts'
import { accountRoutes } from './pages/account.ts'
import { accountsRoutes } from './pages/admin/accounts.ts'
import { adminHealthRoutes } from './pages/admin/health.ts'
import { adminImportRoutes } from './pages/admin/import.ts'
import { adminProjectsRoutes } from './pages/admin/projects.ts'
import { adminSettingsRoutes } from './pages/admin/settings.ts'
import { auditRoutes } from './pages/audit.ts'
import { badgesRoutes } from './pages/badges.ts'
import { checkRoutes } from './pages/check.ts'
import { checkFormsRoutes } from './pages/check-forms.ts'
import { checksRoutes } from './pages/checks.ts'
import { confirmRoutes } from './pages/confirm.ts'
import { deliveriesRoutes } from './pages/deliveries.ts'
import { FILE_ROUTES } from './pages/files.ts'
import { firstPingRoutes } from './pages/first-ping.ts'
import { healthchecksRoutes } from './pages/healthchecks.ts'
import { helpRoutes } from './pages/help.ts'
import { homeRoutes } from './pages/home.ts'
import { instancesRoutes } from './pages/instances.ts'
import { integrationFormsRoutes } from './pages/integration-forms.ts'
import { createTestLimit } from './pages/integrations/test-limit.ts'
import { integrationsRoutes } from './pages/integrations.ts'
import { invitationRoutes } from './pages/invitation.ts'
import { logRoutes } from './pages/log.ts'
import { mailLinkRoutes } from './pages/mail-links.ts'
import { oidcRoutes } from './pages/oidc.ts'
import { passwordRoutes } from './pages/password.ts'
import { projectsRoutes } from './pages/projects.ts'
import { publicStatusRoutes } from './pages/public-status.ts'
import { referenceRoute } from './pages/reference.ts'
import { reportsRoutes } from './pages/reports.ts'
import { searchRoutes } from './pages/search.ts'
import { identitiesRoutes } from './pages/security/identities.ts'
import { setUpRoutes } from './pages/set-up.ts'
import { settingsRoutes } from './pages/settings.ts'
import { signInRoutes } from './pages/sign-in.ts'
import { signInCodeRoutes } from './pages/sign-in-code.ts'
import { signInLinkRoutes } from './pages/sign-in-link.ts'
import { signUpRoutes } from './pages/sign-up.ts'
import { statusPageRoutes } from './pages/status-page.ts'
import { teamRoutes } from './pages/team.ts'
import { wallRoutes } from './pages/wall.ts'
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
    ...helpRoutes(),
    ...healthchecksRoutes(deps),
    ...FILE_ROUTES,
  ]
}
