/** All page modules. Their order determines the order of the menu and the precedence of the style sheets. */
import type { MenuPlaces } from '../layout/menu.ts'
import type { Page } from '../page.ts'
import { page as account } from './account/index.ts'
import { page as admin } from './admin/index.ts'
import { page as advice } from './advice/index.ts'
import { page as alerts } from './alerts/index.ts'
import { page as audit, serverPage as serverAudit } from './audit/index.ts'
import { page as badges } from './badges/index.ts'
import { page as bulkSettings } from './bulk-settings/index.ts'
import { page as check } from './check/index.ts'
import { page as checkForms } from './check-forms/index.ts'
import { page as checks } from './checks/index.ts'
import { page as confirm } from './confirm/index.ts'
import { page as firstPing } from './first-ping/index.ts'
import { page as healthchecks } from './healthchecks.ts'
import { page as help } from './help/index.ts'
import { page as integrationForms } from './integration-forms/index.ts'
import { page as integrations } from './integrations/index.ts'
import { page as invitation } from './invitation.ts'
import { page as log } from './log/index.ts'
import { page as mailLinks } from './mail-links/index.ts'
import { page as mute } from './mute/index.ts'
import { page as night } from './night/index.ts'
import { page as overview } from './overview/index.ts'
import { page as palette } from './palette/index.ts'
import { page as projects } from './projects.ts'
import { page as publicStatus } from './public-status/index.ts'
import { page as reference } from './reference/index.ts'
import { page as reports } from './reports/index.ts'
import { page as search } from './search/index.ts'
import { page as setUp } from './set-up.ts'
import { page as settings } from './settings/index.ts'
import { page as signIn } from './sign-in/index.ts'
import { page as signUp } from './sign-up.ts'
import { page as statusPage } from './status-page/index.ts'
import { page as team } from './team/index.ts'
import { page as wall } from './wall/index.ts'

export const PAGES: readonly Page[] = [
  log,
  overview,
  night,
  checkForms,
  check,
  checks,
  bulkSettings,
  mute,
  firstPing,
  advice,
  alerts,
  integrationForms,
  integrations,
  search,
  palette,
  projects,
  badges,
  statusPage,
  reports,
  team,
  settings,
  audit,
  admin,
  serverAudit,
  account,
  wall,
  setUp,
  signIn,
  confirm,
  signUp,
  invitation,
  mailLinks,
  publicStatus,
  reference,
  help,
  healthchecks,
]

export const MENU: MenuPlaces = {
  main: PAGES.flatMap(({ menu }) => (menu && !menu.apart ? [menu] : [])),
  search: search.menu,
  account: account.menu,
  help: help.menu,
}
