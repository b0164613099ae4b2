/** The settings pages for a project. */
import type { Page } from '../../page.ts'
import { settingsFixtures } from './fixtures.ts'
import { settingsRoutes } from './routes.ts'

export const page = {
  routes: settingsRoutes,
  menu: {
    text: 'Project settings',
    icon: 'gear',
    key: 's',
    path: '/p/:project/settings',
    group: 'Project',
    right: 'write',
  },
  help: 'pages#the-settings-of-a-project',
  fixtures: settingsFixtures,
} satisfies Page
