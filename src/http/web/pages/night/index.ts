/** A night's page. */
import type { Page } from '../../page.ts'
import { nightView } from './live.ts'
import night from './night.css' with { type: 'text' }
import { nightRoutes } from './routes.ts'

export const page = {
  routes: nightRoutes,
  menu: { text: 'Night', icon: 'moon', key: 'n', path: '/night', tab: 'always' },
  help: 'pages#the-night',
  styles: [night],
  liveOfAll: {
    night: (deps, visit) => ({ view: nightView(deps, visit, 'night'), projectIds: null }),
    '24h': (deps, visit) => ({ view: nightView(deps, visit, '24h'), projectIds: null }),
  },
  fixtures: {
    'GET /night': { for: 'people' },
  },
} satisfies Page
