/** The documents, and the reference of the API among them. */
import type { Page } from '../../page.ts'
import { helpRoutes } from './routes.ts'

export const helpPage = {
  routes: helpRoutes,
  menu: { text: 'Help', icon: 'file', key: 'h', path: '/docs', isInFoot: true },
} satisfies Page
