/** The audit log pages. They list changes in a project or on the server, and the users who made them. */
import type { Page } from '../../page.ts'
import { adminMenu } from '../admin/tabs.ts'
import audit from './audit.css' with { type: 'text' }
import { auditRoutes, serverAuditRoutes } from './routes.ts'

const help = 'pages#the-audit-log'

export const page = {
  routes: auditRoutes,
  menu: {
    text: 'Audit log',
    icon: 'clock',
    key: 'l',
    path: '/p/:project/audit',
    group: 'Project',
    right: 'manage',
  },
  help,
  lastStyles: [audit],
  fixtures: {
    'GET /p/:project/audit': { for: 'manage' },
    'GET /p/:project/audit.jsonl': { for: 'manage', type: 'application/jsonl' },
  },
} satisfies Page

/** The server-wide audit log. */
export const serverPage: Page = {
  routes: serverAuditRoutes,
  under: adminMenu,
  help,
  fixtures: {
    'GET /admin/audit': { for: 'administrators' },
    'GET /admin/audit.jsonl': { for: 'administrators', type: 'application/jsonl' },
  },
}
