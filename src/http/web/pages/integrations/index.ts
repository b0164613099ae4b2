/** A project's integrations. */
import type { Page } from '../../page.ts'
import integrations from './integrations.css' with { type: 'text' }
import { integrationsView } from './live.ts'
import { integrationsMenu } from './menu.ts'
import { integrationsRoutes } from './routes.ts'

export const page = {
  routes: integrationsRoutes,
  menu: integrationsMenu,
  help: 'pages#integrations',
  lastStyles: [integrations],
  live: { integrations: integrationsView },
  fixtures: {
    'GET /p/:project/integrations': { for: 'read' },
    // Users with read-only access may also send a test.
    'POST /p/:project/integrations': { for: 'read', form: { test: '{new-channel}' } },
    'GET /p/:project/integrations/:channel/checks': { for: 'write' },
    'POST /p/:project/integrations/:channel/checks': { for: 'write', form: { action: 'all' } },
    'GET /p/:project/integrations/:channel/delete': { for: 'write' },
    'POST /p/:project/integrations/:channel/delete': {
      for: 'write',
      at: '/p/{project}/integrations/{new-channel}/delete',
    },
  },
} satisfies Page
