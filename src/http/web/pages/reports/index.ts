/** Reports and reminders by email. */
import type { Page } from '../../page.ts'
import { reportsRoutes } from './routes.ts'

export const reportsPage = {
  routes: reportsRoutes,
  menu: { text: 'Reports', icon: 'mail', key: 'm', path: '/p/:project/reports', group: 'Share' },
} satisfies Page
