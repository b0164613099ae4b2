/** The reference of the API. */
import type { Page } from '../../page.ts'
import { referenceRoutes } from './routes.ts'

export const referencePage = {
  routes: referenceRoutes,
} satisfies Page
