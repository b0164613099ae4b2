/** The place in the menu of the list of integrations and of the pages about one. */
import type { MenuPlace } from '../../route.ts'

export const integrationsMenu: MenuPlace = {
  text: 'Integrations',
  icon: 'plug',
  key: 'i',
  path: '/p/:project/integrations',
}
