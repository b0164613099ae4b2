/** Who somebody is, asked again. */
import type { Page } from '../../page.ts'
import { confirmRoutes } from './routes.ts'

export const confirmPage = {
  routes: confirmRoutes,
} satisfies Page
