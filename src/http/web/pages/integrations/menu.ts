/** The menu entry for the list of integrations. It also covers the pages of a single integration. */
import type { MenuPlace } from '../../route.ts'

export const integrationsMenu: MenuPlace = {
  text: 'Integrations',
  icon: 'plug',
  key: 'i',
  path: '/p/:project/integrations',
}
