/** Public status pages. */
import type { Page } from '../../page.ts'
import { publicStatusRoutes } from './routes.ts'

export const page = {
  routes: publicStatusRoutes,
  fixtures: {
    'GET /status/:slug': { for: 'everybody', at: '/status/{status-page}', cache: 'public, max-age=60' },
  },
} satisfies Page
