/** All pages, in the order in which they stand in the menu and in which their style sheets count. */
import type { MenuPlaces } from '../layout/menu.ts'
import type { Page } from '../page.ts'
import { accountPage } from './account/index.ts'
import { adminPage } from './admin/index.ts'
import { auditPage, serverAuditPage } from './audit/index.ts'
import { badgesPage } from './badges/index.ts'
import { checkPage } from './check/index.ts'
import { checkFormsPage } from './check-forms/index.ts'
import { checksPage } from './checks/index.ts'
import { confirmPage } from './confirm/index.ts'
import { deliveriesPage } from './deliveries/index.ts'
import { firstPingPage } from './first-ping/index.ts'
import { healthchecksPage } from './healthchecks.ts'
import { helpPage } from './help/index.ts'
import { integrationFormsPage } from './integration-forms/index.ts'
import { integrationsPage } from './integrations/index.ts'
import { invitationPage } from './invitation.ts'
import { logPage } from './log/index.ts'
import { mailLinksPage } from './mail-links.ts'
import { overviewPage } from './overview/index.ts'
import { projectsPage } from './projects.ts'
import { publicStatusPage } from './public-status/index.ts'
import { referencePage } from './reference/index.ts'
import { reportsPage } from './reports/index.ts'
import { searchPage } from './search/index.ts'
import { setUpPage } from './set-up.ts'
import { settingsPage } from './settings/index.ts'
import { signInPage } from './sign-in/index.ts'
import { signUpPage } from './sign-up.ts'
import { statusPagePage } from './status-page/index.ts'
import { teamPage } from './team/index.ts'
import { wallPage } from './wall/index.ts'

export const PAGES: readonly Page[] = [
  logPage,
  overviewPage,
  checkFormsPage,
  searchPage,
  checkPage,
  checksPage,
  firstPingPage,
  integrationFormsPage,
  integrationsPage,
  deliveriesPage,
  projectsPage,
  badgesPage,
  statusPagePage,
  reportsPage,
  teamPage,
  settingsPage,
  auditPage,
  adminPage,
  serverAuditPage,
  accountPage,
  wallPage,
  setUpPage,
  signInPage,
  confirmPage,
  signUpPage,
  invitationPage,
  mailLinksPage,
  publicStatusPage,
  referencePage,
  helpPage,
  healthchecksPage,
]

export const MENU: MenuPlaces = {
  main: PAGES.flatMap(({ menu }) => (menu && !menu.isInFoot ? [menu] : [])),
  account: accountPage.menu,
  help: helpPage.menu,
}
