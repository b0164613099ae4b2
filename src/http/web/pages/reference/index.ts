/** The reference pages for both APIs. */
import type { Page } from '../../page.ts'
import { referenceRoutes } from './routes.ts'

export const page = {
  routes: referenceRoutes,
  fixtures: {
    'GET /docs/api': { for: 'everybody', cache: 'public, max-age=60' },
    'GET /docs/api/overdue': { for: 'everybody', cache: 'public, max-age=60' },
  },
} satisfies Page
