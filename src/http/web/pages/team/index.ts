/** The pages for a project's team. */
import type { Page } from '../../page.ts'
import { teamFixtures } from './fixtures.ts'
import { teamRoutes } from './routes.ts'

export const page = {
  routes: teamRoutes,
  menu: { text: 'Team', icon: 'users', key: 't', path: '/p/:project/team', group: 'Project' },
  help: 'pages#the-team-of-a-project',
  fixtures: teamFixtures,
} satisfies Page
