/** The form of an integration. */
import type { Page } from '../../page.ts'
import { integrationsMenu } from '../integrations/menu.ts'
import { integrationFormsRoutes } from './routes.ts'

export const integrationFormsPage = {
  routes: integrationFormsRoutes,
  menu: integrationsMenu,
} satisfies Page
