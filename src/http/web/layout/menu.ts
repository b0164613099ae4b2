/** The items of the menu: only pages that exist, and only those that the reader may open. */
import { includes, type Right } from '../../../domain/account/role.ts'
import { projectPath } from '../href.ts'
import type { IconName } from '../parts/icons.ts'

export type MenuItem = 'projects' | 'checks' | 'settings' | 'account' | 'reference'

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
}

export function mainMenu(project: CurrentProject | null): readonly MenuEntry[] {
  const projects: MenuEntry = { item: 'projects', text: 'Projects', icon: 'folder', path: '/projects' }
  if (project === null) return [projects]
  const { slug, right } = project
  const checks: MenuEntry = { item: 'checks', text: 'Checks', icon: 'list', path: projectPath(slug, 'checks') }
  const settings: MenuEntry = {
    item: 'settings',
    text: 'Project settings',
    icon: 'gear',
    path: projectPath(slug, 'settings'),
  }
  return [projects, checks, ...(includes(right, 'own') ? [settings] : [])]
}

export const ACCOUNT: MenuEntry = { item: 'account', text: 'Account', icon: 'user', path: '/account' }
export const REFERENCE: MenuEntry = { item: 'reference', text: 'API reference', icon: 'file', path: '/docs/api' }
