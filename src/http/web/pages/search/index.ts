/** The search for checks, job output and integrations. */
import type { Page } from '../../page.ts'
import { searchRoutes } from './routes.ts'
import search from './search.css' with { type: 'text' }

export const page = {
  routes: searchRoutes,
  menu: { text: 'Search everything', icon: 'search', key: 'f', path: '/search', apart: 'field' },
  help: 'pages#the-search-over-everything',
  lastStyles: [search],
  fixtures: {
    'GET /search': { for: 'people', at: '/search?q=harbour' },
  },
} satisfies Page
