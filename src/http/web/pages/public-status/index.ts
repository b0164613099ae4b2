/** Status pages as everybody sees them. */
import type { Page } from '../../page.ts'
import { publicStatusRoutes } from './routes.ts'

export const publicStatusPage = {
  routes: publicStatusRoutes,
} satisfies Page
