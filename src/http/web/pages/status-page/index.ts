/** The settings of a status page. */
import type { Page } from '../../page.ts'
import { statusPageRoutes } from './routes.ts'

export const statusPagePage = {
  routes: statusPageRoutes,
  menu: { text: 'Status page', icon: 'globe', key: 'u', path: '/p/:project/status-page', group: 'Share' },
} satisfies Page
