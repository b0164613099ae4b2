/** The form that changes several checks' settings at once. */
import type { Page } from '../../page.ts'
import { checksMenu } from '../checks/menu.ts'
import bulkSettings from './bulk-settings.css' with { type: 'text' }
import { bulkSettingsRoutes } from './routes.ts'

export const page = {
  routes: bulkSettingsRoutes,
  under: checksMenu,
  help: 'pages#changing-several-checks',
  styles: [bulkSettings],
  fixtures: {
    'GET /p/:project/checks/bulk/schedule': {
      for: 'write',
      at: '/p/{project}/checks/bulk/schedule?c={new-check}',
    },
    'POST /p/:project/checks/bulk/schedule': { for: 'write', status: 200, form: { all: '1' } },
    'POST /p/:project/checks/bulk/schedule/preview': { for: 'write', status: 200 },
  },
} satisfies Page
