/** The night. */
import type { Page } from '../../page.ts'
import night from './night.css' with { type: 'text' }
import { nightRoutes } from './routes.ts'

export const page = {
  routes: nightRoutes,
  menu: { text: 'Night', icon: 'moon', key: 'n', path: '/night', tab: 'always' },
  help: 'pages#the-night',
  styles: [night],
  fixtures: {
    'GET /night': { for: 'people' },
  },
} satisfies Page
