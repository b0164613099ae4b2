/** The items of the menu: only pages that exist, and only those that the reader may open. */
import { includes, type Right } from '../../../domain/account/role.ts'
import { projectPath, START } from '../href.ts'
import type { IconName } from '../parts/icons.ts'
import type { MenuItem } from '../route.ts'

/** The project that the reader is in. */
export interface CurrentProject {
  readonly slug: string
  readonly name: string
  /** the most that the reader may do */
  readonly right: Right
}

export interface MenuEntry {
  readonly item: MenuItem
  readonly text: string
  readonly icon: IconName
  readonly path: string
  /** the heading above it and its neighbours; those without one come first */
  readonly group?: 'Share' | 'Project' | 'Server'
  /** true: in the tab bar of a phone; others are behind "More" */
  readonly isTab?: true
}

/** @param project that the reader is in, or null @param isAdministrator of the reader */
export function mainMenu(project: CurrentProject | null, isAdministrator: boolean): readonly MenuEntry[] {
  const server = isAdministrator ? [ADMINISTRATION] : []
  if (project === null) return [WRONG, SEARCH, { ...PROJECTS, isTab: true }, ...server]
  const { slug } = project
  const checks: MenuEntry = {
    item: 'checks',
    text: 'Checks',
    icon: 'list',
    path: projectPath(slug, 'checks'),
    isTab: true,
  }
  const integrations: MenuEntry = {
    item: 'integrations',
    text: 'Integrations',
    icon: 'plug',
    path: projectPath(slug, 'integrations'),
  }
  const deliveries: MenuEntry = {
    item: 'deliveries',
    text: 'Alerts',
    icon: 'send',
    path: projectPath(slug, 'deliveries'),
    isTab: true,
  }
  return [WRONG, SEARCH, checks, integrations, deliveries, PROJECTS, ...shared(project), ...managed(project), ...server]
}

/** The entries as they are shown: those of each group under its name, in the order in which the groups begin. */
export function menuGroups(entries: readonly MenuEntry[]): ReadonlyMap<MenuEntry['group'], readonly MenuEntry[]> {
  return Map.groupBy(entries, ({ group }) => group)
}

function shared({ slug }: CurrentProject): readonly MenuEntry[] {
  const entry = (item: 'badges' | 'status-page' | 'reports', text: string, icon: IconName): MenuEntry => {
    return { item, text, icon, path: projectPath(slug, item), group: 'Share' }
  }
  return [
    entry('badges', 'Badges', 'badge'),
    entry('status-page', 'Status page', 'globe'),
    entry('reports', 'Reports', 'mail'),
  ]
}

function managed({ slug, right }: CurrentProject): readonly MenuEntry[] {
  const entry = (item: 'team' | 'settings' | 'audit', text: string, icon: IconName): MenuEntry => {
    return { item, text, icon, path: projectPath(slug, item), group: 'Project' }
  }
  return [
    entry('team', 'Team', 'users'),
    ...(includes(right, 'write') ? [entry('settings', 'Project settings', 'gear')] : []),
    ...(includes(right, 'manage') ? [entry('audit', 'Audit log', 'clock')] : []),
  ]
}

/** Its pages have tabs. */
const ADMINISTRATION: MenuEntry = {
  item: 'administration',
  text: 'Administration',
  icon: 'key',
  path: '/admin',
  group: 'Server',
}
const WRONG: MenuEntry = {
  item: 'wrong',
  text: 'Overview',
  icon: 'pulse',
  path: START,
  isTab: true,
}
const SEARCH: MenuEntry = { item: 'search', text: 'Search everything', icon: 'search', path: '/search' }
const PROJECTS: MenuEntry = { item: 'projects', text: 'Projects', icon: 'folder', path: '/projects' }
export const ACCOUNT: MenuEntry = { item: 'account', text: 'Account', icon: 'user', path: '/account' }
/** The documents, and the reference of the API among them. */
export const HELP: MenuEntry = { item: 'help', text: 'Help', icon: 'file', path: '/docs' }
