/** The menu entry for the list of integrations. A single integration's pages belong to it, too. */
import type { MenuPlace } from '../../route.ts'

export const integrationsMenu: MenuPlace = {
  text: 'Integrations',
  icon: 'plug',
  key: 'i',
  path: '/p/:project/integrations',
}
