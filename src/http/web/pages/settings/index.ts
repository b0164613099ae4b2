/** The settings of a project. */
import type { Page } from '../../page.ts'
import { settingsRoutes } from './routes.ts'

export const settingsPage = {
  routes: settingsRoutes,
  menu: {
    text: 'Project settings',
    icon: 'gear',
    key: 's',
    path: '/p/:project/settings',
    group: 'Project',
    right: 'write',
  },
} satisfies Page
