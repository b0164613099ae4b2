/** The menu entry for the list of checks. It also covers the pages of a single check. */
import type { MenuPlace } from '../../route.ts'

export const checksMenu: MenuPlace = {
  text: 'Checks',
  icon: 'list',
  key: 'c',
  path: '/p/:project/checks',
  tab: 'always',
  tally: 'down',
}
