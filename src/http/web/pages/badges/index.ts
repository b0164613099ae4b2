/** The badges page. */
import type { Page } from '../../page.ts'
import share from '../../styles/share.css' with { type: 'text' }
import { badgesRoutes } from './routes.ts'

export const page = {
  routes: badgesRoutes,
  menu: { text: 'Badges', icon: 'badge', key: 'b', path: '/p/:project/badges', group: 'Share' },
  help: 'badges',
  lastStyles: [share],
  fixtures: {
    'GET /p/:project/badges': { for: 'read' },
  },
} satisfies Page
