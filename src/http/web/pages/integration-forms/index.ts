/** The pages that contain an integration's form. */
import type { Page } from '../../page.ts'
import { integrationsMenu } from '../integrations/menu.ts'
import { integrationFormsRoutes } from './routes.ts'

export const page = {
  routes: integrationFormsRoutes,
  under: integrationsMenu,
  help: 'pages#the-form-of-an-integration',
  fixtures: {
    'GET /p/:project/integrations/new/:kind': { for: 'write', at: '/p/{project}/integrations/new/webhook' },
    'POST /p/:project/integrations/new/:kind': {
      for: 'write',
      at: '/p/{project}/integrations/new/matrix',
      form: { name: 'Room {n}', 'set-value': '!room:example.org' },
    },
    'GET /p/:project/integrations/:channel': { for: 'write' },
    'POST /p/:project/integrations/:channel': {
      for: 'write',
      form: {
        name: 'Ops {n}',
        'set-value': 'ops@example.org',
        'set-tz': 'UTC',
        'set-report': 'off',
        'set-reminder': 'off',
      },
    },
    'POST /p/:project/integrations/quiet-hours/preview': {
      for: 'write',
      status: 200,
      form: { 'quiet-from': '22:00', 'quiet-until': '7:00', 'quiet-tz': 'Europe/Riga' },
    },
    'GET /p/:project/integrations/:channel/test': { for: 'write' },
    'POST /p/:project/integrations/:channel/test': { for: 'write', status: 200, form: { status: 'up' } },
  },
} satisfies Page
