/** The menu entry for the list of checks. A single check's pages belong to it, too. */
import type { MenuPlace } from '../../route.ts'

export const checksMenu: MenuPlace = {
  text: 'Checks',
  icon: 'list',
  key: 'c',
  path: '/p/:project/checks',
  tab: 'always',
  tally: 'down',
}
