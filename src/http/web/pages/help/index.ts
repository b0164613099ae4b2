/** The documentation pages. */
import type { Page } from '../../page.ts'
import { helpRoutes } from './routes.ts'

export const page = {
  routes: helpRoutes,
  menu: { text: 'Help', icon: 'file', key: 'h', path: '/docs', apart: 'foot' },
  fixtures: {
    'GET /docs': { for: 'everybody', cache: 'public, max-age=60' },
    'GET /docs/search': { for: 'everybody', at: '/docs/search?q=grace', cache: 'public, max-age=60' },
    'GET /docs/:name': { for: 'everybody', at: '/docs/backup', cache: 'public, max-age=60' },
  },
} satisfies Page
