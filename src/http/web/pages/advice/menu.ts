/** The advice entry in the menu. */
import type { MenuPlace } from '../../route.ts'

export const adviceMenu: MenuPlace = {
  text: 'Advice',
  icon: 'bulb',
  key: 'v',
  path: '/p/:project/advice',
  pathOfAll: '/advice',
  tally: 'advised',
}
