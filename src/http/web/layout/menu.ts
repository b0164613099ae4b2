/** The items of the menu: only pages that exist, and only those that the reader may open. */
import { includes, type Right } from '../../../domain/account/role.ts'
import { projectPath, START } from '../href.ts'
import type { IconName } from '../parts/icons.ts'

export type MenuItem =
  | 'wrong'
  | 'search'
  | 'projects'
  | 'checks'
  | 'integrations'
  | 'deliveries'
  | 'badges'
  | 'status-page'
  | 'reports'
  | 'settings'
  | 'account'
  | 'reference'

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
  /** for the tab bar, if it is another */
  readonly brief?: string
  readonly icon: IconName
  readonly path: string
  /** the heading above it and its neighbours; those without one come first */
  readonly group?: 'Share' | 'Project'
  /** true: in the tab bar of a phone; others are behind "More" */
  readonly isTab?: true
}

/** @param project that the reader is in, or null */
export function mainMenu(project: CurrentProject | null): readonly MenuEntry[] {
  if (project === null) return [WRONG, SEARCH, PROJECTS]
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
    text: 'Deliveries',
    icon: 'send',
    path: projectPath(slug, 'deliveries'),
  }
  return [WRONG, SEARCH, checks, integrations, deliveries, PROJECTS, ...shared(project), ...settings(project)]
}

/** The entries as they are shown: those of each group under its name, in the order in which the groups begin. */
export function menuGroups(entries: readonly MenuEntry[]): ReadonlyMap<MenuEntry['group'], readonly MenuEntry[]> {
  return Map.groupBy(entries, ({ group }) => group)
}

function shared({ slug, right }: CurrentProject): readonly MenuEntry[] {
  const entry = (item: 'badges' | 'status-page' | 'reports', text: string, icon: IconName): MenuEntry => {
    return { item, text, icon, path: projectPath(slug, item), group: 'Share' }
  }
  return [
    entry('badges', 'Badges', 'badge'),
    ...(includes(right, 'write') ? [entry('status-page', 'Status page', 'globe')] : []),
    entry('reports', 'Reports', 'mail'),
  ]
}

function settings({ slug, right }: CurrentProject): readonly MenuEntry[] {
  if (!includes(right, 'write')) return []
  return [
    { item: 'settings', text: 'Project settings', icon: 'gear', path: projectPath(slug, 'settings'), group: 'Project' },
  ]
}

const WRONG: MenuEntry = {
  item: 'wrong',
  text: 'What is wrong',
  brief: 'Wrong now',
  icon: 'pulse',
  path: START,
  isTab: true,
}
const SEARCH: MenuEntry = { item: 'search', text: 'Search everything', icon: 'search', path: '/search' }
const PROJECTS: MenuEntry = { item: 'projects', text: 'Projects', icon: 'folder', path: '/projects', isTab: true }
export const ACCOUNT: MenuEntry = { item: 'account', text: 'Account', icon: 'user', path: '/account' }
export const REFERENCE: MenuEntry = { item: 'reference', text: 'API reference', icon: 'file', path: '/docs/api' }
