/** The pages for email reports and reminders. */
import type { Page } from '../../page.ts'
import { reportsRoutes } from './routes.ts'

export const page = {
  routes: reportsRoutes,
  menu: { text: 'Reports', icon: 'mail', key: 'm', path: '/p/:project/reports', group: 'Share' },
  help: 'channels#reports-and-reminders',
  fixtures: {
    'GET /p/:project/reports': { for: 'read' },
    'POST /p/:project/reports': { for: 'write', form: { channel: '{channel}', 'report-{channel}': 'weekly' } },
    'GET /p/:project/reports/:channel': { for: 'read' },
    'GET /p/:project/reports/:channel/email': {
      for: 'read',
      policy:
        "default-src 'none'; style-src 'unsafe-inline'; sandbox; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
    },
  },
} satisfies Page
