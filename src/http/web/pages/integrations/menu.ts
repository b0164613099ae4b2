/** The menu entry for the list of integrations. The pages of a single integration belong to it, too. */
import type { MenuPlace } from '../../route.ts'

export const integrationsMenu: MenuPlace = {
  text: 'Integrations',
  icon: 'plug',
  key: 'i',
  path: '/p/:project/integrations',
}
