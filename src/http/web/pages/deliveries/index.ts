/** Alerts: who was told what, and what waits. */
import type { Page } from '../../page.ts'
import deliveries from './deliveries.css' with { type: 'text' }
import { deliveriesView, deliveryView } from './live.ts'
import { deliveriesRoutes } from './routes.ts'

export const deliveriesPage = {
  routes: deliveriesRoutes,
  menu: {
    text: 'Alerts',
    icon: 'send',
    key: 'd',
    path: '/p/:project/deliveries',
    tab: 'always',
    tally: 'waiting',
  },
  lastStyles: [deliveries],
  live: { deliveries: deliveriesView, delivery: deliveryView },
} satisfies Page
