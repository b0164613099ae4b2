/** The pages about the server, as tabs. */
import type { Href } from '../../href.ts'
import type { Html } from '../../html.ts'
import { pageTabs } from '../../parts/tabs.ts'

export const ADMIN_PATHS = {
  health: '/admin',
  instances: '/admin/instances',
  accounts: '/admin/accounts',
  projects: '/admin/projects',
  import: '/admin/import',
  settings: '/admin/settings',
  audit: '/admin/audit',
} as const

const TABS = [
  [ADMIN_PATHS.health, 'Health'],
  [ADMIN_PATHS.accounts, 'Accounts'],
  [ADMIN_PATHS.projects, 'Projects'],
  [ADMIN_PATHS.import, 'Import'],
  [ADMIN_PATHS.settings, 'Settings'],
  [ADMIN_PATHS.audit, 'Audit log'],
  [ADMIN_PATHS.instances, 'Instances'],
] as const

/** @param here the path of this page */
export function adminTabs(href: Href, here: string): Html {
  return pageTabs(href, 'Server', TABS, here)
}
