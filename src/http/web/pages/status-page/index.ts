/** The settings pages for a status page. */
import type { Page } from '../../page.ts'
import { statusPageRoutes } from './routes.ts'

export const page = {
  routes: statusPageRoutes,
  menu: { text: 'Status page', icon: 'globe', key: 'u', path: '/p/:project/status-page', group: 'Share' },
  help: 'status-page',
  fixtures: {
    'GET /p/:project/status-page': { for: 'read' },
    'POST /p/:project/status-page': {
      for: 'write',
      form: { action: 'save', slug: 'harbour', title: 'Status', tz: 'UTC', public: 'on' },
    },
    'GET /p/:project/status-page/preview': { for: 'write' },
    'GET /p/:project/status-page/sections/:section': { for: 'write' },
    'POST /p/:project/status-page/sections/:section': { for: 'write', form: { name: 'Shop {n}' } },
  },
} satisfies Page
