/** The page that guides the user to a project's first ping. */
import type { Page } from '../../page.ts'
import { checksMenu } from '../checks/menu.ts'
import { firstPingView } from './live.ts'
import { firstPingRoutes } from './routes.ts'

export const page = {
  routes: firstPingRoutes,
  under: checksMenu,
  live: { 'first-ping': (deps, { actor }) => firstPingView(deps, actor) },
  fixtures: {
    'GET /p/:project/first-ping': { for: 'write' },
    'POST /p/:project/first-ping': { for: 'write', form: { action: 'send-ping' } },
  },
} satisfies Page
