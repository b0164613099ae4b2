/** Tabs for the server administration pages. */
import type { Href } from '../../href.ts'
import type { Html } from '../../html.ts'
import { pageTabs } from '../../parts/tabs.ts'
import type { MenuPlace } from '../../route.ts'

/** The pages in display order. A title appears both on the tab and on its page. */
export const ADMIN_TABS = {
  health: { path: '/admin', title: 'Server health' },
  accounts: { path: '/admin/accounts', title: 'Accounts' },
  projects: { path: '/admin/projects', title: 'All projects' },
  backups: { path: '/admin/backups', title: 'Backups' },
  import: { path: '/admin/import', title: 'Import' },
  mail: { path: '/admin/mail', title: 'Mail' },
  settings: { path: '/admin/settings', title: 'Server settings' },
  audit: { path: '/admin/audit', title: 'Server audit log' },
  instances: { path: '/admin/instances', title: 'Instances' },
} as const

export const adminMenu: MenuPlace = {
  text: 'Administration',
  icon: 'key',
  key: 'r',
  path: ADMIN_TABS.health.path,
  group: 'Server',
  isForAdministrators: true,
}

/** @param here the current page's tab */
export function adminTabs(href: Href, here: keyof typeof ADMIN_TABS): Html {
  const tabs = Object.values(ADMIN_TABS).map(({ path, title }) => [path, title] as const)
  return pageTabs(href, 'Administration', tabs, ADMIN_TABS[here].path)
}
