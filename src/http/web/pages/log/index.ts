/** The log of a check, and the content of its pings. */
import type { Page } from '../../page.ts'
import { checksMenu } from '../checks/menu.ts'
import { logView } from './live.ts'
import log from './log.css' with { type: 'text' }
import { logRoutes } from './routes.ts'

export const page = {
  routes: logRoutes,
  under: checksMenu,
  help: 'operate#how-much-a-log-holds',
  lastStyles: [log],
  live: { log: logView },
  fixtures: {
    'GET /p/:project/checks/:check/log': { for: 'read' },
    'GET /p/:project/checks/:check/log/:n': { for: 'read', at: '/p/{project}/checks/{check}/log/1' },
    'GET /p/:project/checks/:check/log/:n/body': {
      for: 'read',
      at: '/p/{project}/checks/{check}/log/1/body',
      type: 'text/plain',
    },
  },
} satisfies Page
