/** A check's page. */
import type { Page } from '../../page.ts'
import { checksMenu } from '../checks/menu.ts'
import check from './check.css' with { type: 'text' }
import { checkView } from './live.ts'
import { checkRoutes } from './routes.ts'

export const page = {
  routes: checkRoutes,
  under: checksMenu,
  help: 'pages#the-rhythm',
  styles: [check],
  live: { check: checkView },
  fixtures: {
    'GET /p/:project/checks/:check': { for: 'read' },
    'POST /p/:project/checks/:check': { for: 'write', form: { action: 'ping' } },
  },
} satisfies Page
