/** The pages for incidents, and for alerts that were sent or are waiting to be sent. */
import type { Page } from '../../page.ts'
import alerts from './alerts.css' with { type: 'text' }
import incident from './incident/incident.css' with { type: 'text' }
import { incidentView } from './incident/live.ts'
import { alertsView, alertView } from './live.ts'
import { alertsRoutes } from './routes.ts'

export const page = {
  routes: alertsRoutes,
  menu: { text: 'Alerts', icon: 'bell', key: 'a', path: '/p/:project/alerts', tab: 'always', tally: 'undelivered' },
  help: 'pages#alerts',
  lastStyles: [alerts, incident],
  live: { alerts: alertsView, alert: alertView, incident: incidentView },
  fixtures: {
    'GET /p/:project/alerts': { for: 'read' },
    'POST /p/:project/alerts': { for: 'write', form: { action: 'retry-all' } },
    'GET /p/:project/alerts/:alert': { for: 'read', at: '/p/{project}/alerts/{alert}' },
    'POST /p/:project/alerts/:alert': { for: 'write', at: '/p/{project}/alerts/{alert}', form: { action: 'cancel' } },
    'GET /p/:project/alerts/:alert/take': { for: 'write', at: '/p/{project}/alerts/{incident}/take' },
    'POST /p/:project/alerts/:alert/take': { for: 'write', at: '/p/{project}/alerts/{incident}/take' },
    'GET /i/:incident': { for: 'read', status: 303, at: '/i/{check}-1' },
    'GET /p/:project/deliveries': { for: 'read', status: 303 },
    'GET /p/:project/deliveries/:alert': { for: 'read', status: 303, at: '/p/{project}/deliveries/one' },
  },
} satisfies Page
