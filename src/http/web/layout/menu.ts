/** The items of the menu: only pages that exist, and only those that the reader may open. */
import { includes, type Right } from '../../../domain/account/role.ts'
import { projectPath, START } from '../href.ts'
import type { IconName } from '../parts/icons.ts'

export type MenuItem = 'wrong' | 'search' | 'projects' | 'checks' | 'settings' | 'account' | 'reference'

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
}

/** @param project that the reader is in, or null */
export function mainMenu(project: CurrentProject | null): readonly MenuEntry[] {
  if (project === null) return [WRONG, SEARCH, PROJECTS]
  const checks: MenuEntry = { item: 'checks', text: 'Checks', icon: 'list', path: projectPath(project.slug, 'checks') }
  return [WRONG, SEARCH, checks, PROJECTS, ...settings(project)]
}

function settings({ slug, right }: CurrentProject): readonly MenuEntry[] {
  if (!includes(right, 'own')) return []
  return [{ item: 'settings', text: 'Project settings', icon: 'gear', path: projectPath(slug, 'settings') }]
}

const WRONG: MenuEntry = { item: 'wrong', text: 'What is wrong', brief: 'Wrong now', icon: 'pulse', path: START }
const SEARCH: MenuEntry = { item: 'search', text: 'Search everything', icon: 'search', path: '/search' }
const PROJECTS: MenuEntry = { item: 'projects', text: 'Projects', icon: 'folder', path: '/projects' }
export const ACCOUNT: MenuEntry = { item: 'account', text: 'Account', icon: 'user', path: '/account' }
export const REFERENCE: MenuEntry = { item: 'reference', text: 'API reference', icon: 'file', path: '/docs/api' }
