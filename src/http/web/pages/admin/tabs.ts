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

type AdminPage = keyof typeof ADMIN_PATHS

/** The words of the tab, and the title of the page that it opens. */
export const ADMIN_TITLES: Readonly<Record<AdminPage, string>> = {
  health: 'Server health',
  accounts: 'Accounts',
  projects: 'All projects',
  import: 'Import',
  settings: 'Server settings',
  audit: 'Server audit log',
  instances: 'Instances',
}

const ORDER = ['health', 'accounts', 'projects', 'import', 'settings', 'audit', 'instances'] as const

/** @param here this page */
export function adminTabs(href: Href, here: AdminPage): Html {
  const tabs = ORDER.map((page) => [ADMIN_PATHS[page], ADMIN_TITLES[page]] as const)
  return pageTabs(href, 'Administration', tabs, ADMIN_PATHS[here])
}
