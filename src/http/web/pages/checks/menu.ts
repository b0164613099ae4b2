/** The place in the menu of the list of checks and of the pages about one check. */
import type { MenuPlace } from '../../route.ts'

export const checksMenu: MenuPlace = {
  text: 'Checks',
  icon: 'list',
  key: 'c',
  path: '/p/:project/checks',
  tab: 'always',
  tally: 'down',
}
