/** The integrations of a project. */
import type { Page } from '../../page.ts'
import integrations from './integrations.css' with { type: 'text' }
import { integrationsView } from './live.ts'
import { integrationsMenu } from './menu.ts'
import { integrationsRoutes } from './routes.ts'

export const integrationsPage = {
  routes: integrationsRoutes,
  menu: integrationsMenu,
  lastStyles: [integrations],
  live: { integrations: integrationsView },
} satisfies Page
