/** The pages that links in our emails lead to. */
import type { Page } from '../../page.ts'
import { channelLinkRoutes } from './channel-links.ts'
import { morningLinkRoutes } from './morning-links.ts'

export const page: Page = {
  routes: (deps) => [...channelLinkRoutes(deps), ...morningLinkRoutes(deps)],
  fixtures: {
    'GET /integrations/:id/verify/:token': { for: 'everybody', at: '{confirm}' },
    'POST /integrations/:id/verify/:token': { for: 'everybody', status: 200, at: '{confirm}' },
    'GET /integrations/:id/unsub/:token': { for: 'everybody', at: '{unsubscribe:alerts}' },
    'POST /integrations/:id/unsub/:token': { for: 'everybody', status: 200, at: '{unsubscribe:alerts}' },
    'GET /integrations/:id/unsub/report/:token': { for: 'everybody', at: '{unsubscribe:report}' },
    'POST /integrations/:id/unsub/report/:token': { for: 'everybody', status: 200, at: '{unsubscribe:report}' },
    'GET /integrations/:id/unsub/reminder/:token': { for: 'everybody', at: '{unsubscribe:reminder}' },
    'POST /integrations/:id/unsub/reminder/:token': { for: 'everybody', status: 200, at: '{unsubscribe:reminder}' },
    'GET /morning-mail/:id/off/:token': { for: 'everybody', at: '{morning:off}' },
    'POST /morning-mail/:id/off/:token': { for: 'everybody', status: 200, at: '{morning:off}' },
    'GET /morning-mail/:id/trouble/:token': { for: 'everybody', at: '{morning:trouble}' },
    'POST /morning-mail/:id/trouble/:token': { for: 'everybody', status: 200, at: '{morning:trouble}' },
  },
}
