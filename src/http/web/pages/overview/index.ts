/** The overview of all of the user's projects. */
import { START } from '../../href.ts'
import type { Page } from '../../page.ts'
import { wrongView } from './live.ts'
import overview from './overview.css' with { type: 'text' }
import { homeRoutes } from './routes.ts'

export const page = {
  routes: homeRoutes,
  menu: { text: 'Overview', icon: 'pulse', key: 'w', path: START, tab: 'always' },
  help: 'pages',
  lastStyles: [overview],
  liveOfAll: {
    wrong: (deps, visit) => ({ view: wrongView(deps, visit), projectIds: null }),
  },
  fixtures: {
    // Accounts already exist, so visitors are redirected to the sign-in page.
    'GET /': { for: 'people' },
    'POST /': { for: 'write', form: { project: '{project}', check: '{check}' } },
  },
} satisfies Page
