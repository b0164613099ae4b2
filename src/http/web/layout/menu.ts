/** The menu entries. The menu contains only pages that the reader is allowed to open. */
import { includes, type Right } from '../../../domain/account/role.ts'
import type { MenuPlace } from '../route.ts'

/** The project that the reader is viewing. */
export interface CurrentProject {
  readonly slug: string
  readonly name: string
  /** the reader's highest right in the project */
  readonly right: Right
}

/** All places in the menu. */
export interface MenuPlaces {
  readonly main: readonly MenuPlace[]
  readonly search: MenuPlace
  readonly account: MenuPlace
  readonly help: MenuPlace
}

export interface MenuEntry extends Pick<MenuPlace, 'text' | 'path'> {
  readonly place: MenuPlace
  readonly isTab: boolean
}

/**
 * @param project the project that the page belongs to, or null
 * @param isAdministrator whether the reader is an administrator
 */
export function mainMenu(
  { main }: MenuPlaces,
  project: CurrentProject | null,
  isAdministrator: boolean,
): readonly MenuEntry[] {
  return main
    .filter((place) => isAdministrator || !place.isForAdministrators)
    .filter((place) => (project ? includes(project.right, place.right ?? 'read') : hasPageOutside(place)))
    .map((place) => entryOf(place, project))
}

export function entryOf(place: MenuPlace, project: CurrentProject | null): MenuEntry {
  const { text, path, pathOfAll = path, tab } = place
  const isTab = tab === 'always' || (tab === 'outside' && project === null)
  const here = project ? path.replace(':project', encodeURIComponent(project.slug)) : pathOfAll
  return { place, text, isTab, path: here }
}

function hasPageOutside({ path, pathOfAll }: MenuPlace): boolean {
  return pathOfAll !== undefined || !path.startsWith('/p/:project/')
}

/** Groups the entries by group name, in the order in which the groups first occur. */
export function menuGroups(entries: readonly MenuEntry[]): ReadonlyMap<MenuPlace['group'], readonly MenuEntry[]> {
  return Map.groupBy(entries, ({ place }) => place.group)
}
