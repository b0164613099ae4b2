/** A page that shows nothing live but numbers: of checks that are down and of alerts that wait, in its title, its icon and its menu. */
import type { LiveView } from './view.ts'

export const COUNTS_VIEW: LiveView = {
  key: 'counts',
  wants: () => false,
  render: async () => [],
  renderAll: null,
}
