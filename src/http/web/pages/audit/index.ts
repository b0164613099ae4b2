/** Who changed what, in a project and on the server. */
import type { Page } from '../../page.ts'
import { adminMenu } from '../admin/tabs.ts'
import audit from './audit.css' with { type: 'text' }
import { auditRoutes, serverAuditRoutes } from './routes.ts'

export const auditPage = {
  routes: auditRoutes,
  menu: {
    text: 'Audit log',
    icon: 'clock',
    key: 'l',
    path: '/p/:project/audit',
    group: 'Project',
    right: 'manage',
  },
  lastStyles: [audit],
} satisfies Page

/** Beside the other pages about the server. */
export const serverAuditPage: Page = { routes: serverAuditRoutes, menu: adminMenu }
