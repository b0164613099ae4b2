/** Alerts: who was told what, and what waits. */
import type { Page } from '../../page.ts'
import deliveries from './deliveries.css' with { type: 'text' }
import { deliveriesView, deliveryView } from './live.ts'
import { deliveriesRoutes } from './routes.ts'

export const page = {
  routes: deliveriesRoutes,
  menu: {
    text: 'Alerts',
    icon: 'send',
    key: 'd',
    path: '/p/:project/deliveries',
    tab: 'always',
    tally: 'waiting',
  },
  help: 'pages#alerts',
  lastStyles: [deliveries],
  live: { deliveries: deliveriesView, delivery: deliveryView },
  fixtures: {
    'GET /p/:project/deliveries': { for: 'read' },
    'POST /p/:project/deliveries': { for: 'write', form: { action: 'retry-all' } },
    'GET /p/:project/deliveries/:delivery': { for: 'read', at: '/p/{project}/deliveries/{alert}' },
    'POST /p/:project/deliveries/:delivery': {
      for: 'write',
      at: '/p/{project}/deliveries/{alert}',
      form: { action: 'cancel' },
    },
  },
} satisfies Page
