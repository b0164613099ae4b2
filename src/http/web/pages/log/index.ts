/** The log of a check, and what one ping or email brought. */
import type { Page } from '../../page.ts'
import { checksMenu } from '../checks/menu.ts'
import { logView } from './live.ts'
import log from './log.css' with { type: 'text' }
import { logRoutes } from './routes.ts'

export const logPage = {
  routes: logRoutes,
  menu: checksMenu,
  lastStyles: [log],
  live: { log: logView },
} satisfies Page
