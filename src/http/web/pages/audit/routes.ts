/** `/p/<project>/audit` and `/admin/audit`: list changes and who made them, as pages or as JSON Lines files. */
import { exportedEntry, type PlacedAuditEntry } from '../../../../domain/audit/audit-list.ts'
import {
  type AuditList,
  exportProjectAudit,
  exportServerAudit,
  readProjectAudit,
  readServerAudit,
} from '../../../../services/audit.ts'
import { contextOf } from '../../context.ts'
import { projectPath } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import type { AccountVisit, FrameContent, PageAnswer, Route } from '../../route.ts'
import { ADMIN_TABS, adminTabs } from '../admin/tabs.ts'
import { adminRoute, projectRoute } from '../new-route.ts'
import { type AuditData, auditBody, exportButton } from './list-page.ts'
import { queryOf, readSearch } from './query.ts'

export function auditRoutes(deps: PageDeps): readonly Route[] {
  return [
    projectRoute('GET', 'audit', 'manage', async (visit) => {
      const { actor } = visit
      const read = () => readProjectAudit(deps, actor, ...asked(visit))
      const list = await deps.longReads.during(visit.person, read)
      const data = dataOf(deps, visit, list, projectPath(actor.project.slug, 'audit'), null)
      return projectAuditPage(data)
    }),
    projectRoute('GET', 'audit.jsonl', 'manage', (visit) => {
      const [query] = asked(visit)
      return exported(`audit-${visit.actor.project.slug}`, exportProjectAudit(deps, visit.actor, query))
    }),
  ]
}

export function serverAuditRoutes(deps: PageDeps): readonly Route[] {
  return [
    adminRoute('GET', ADMIN_TABS.audit.path, async (visit) => {
      const { person } = visit
      const read = () => readServerAudit(deps, person, ...asked(visit))
      const list = await deps.longReads.during(person, read)
      return serverAuditPage(dataOf(deps, visit, list, ADMIN_TABS.audit.path, list.projects))
    }),
    adminRoute('GET', `${ADMIN_TABS.audit.path}.jsonl`, (visit) => {
      const [query] = asked(visit)
      return exported('audit', exportServerAudit(deps, visit.person, query))
    }),
  ]
}

/** Parses the URL's filters and the position at which the page starts. */
function asked({ url, account }: AccountVisit) {
  const search = readSearch(url.searchParams)
  return [queryOf(search, account.tz), search.after] as const
}

function dataOf(
  deps: PageDeps,
  visit: AccountVisit,
  list: AuditList,
  path: string,
  projects: AuditData['projects'],
): AuditData {
  const search = readSearch(visit.url.searchParams)
  return { ...contextOf(deps, visit), path, search, list, projects }
}

function projectAuditPage(data: AuditData): FrameContent {
  return {
    layout: 'frame',
    title: 'Audit log',
    intro: 'Who changed what in this project. Pings are not recorded. Entries are kept for a year.',
    actions: exportButton(data),
    body: auditBody(data),
  }
}

function serverAuditPage(data: AuditData): FrameContent {
  return {
    layout: 'frame',
    title: ADMIN_TABS.audit.title,
    intro: 'Who changed what in all projects and accounts. Entries are kept for a year.',
    actions: exportButton(data),
    body: html`<div class="stack">${adminTabs(data.href, 'audit')}<div>${auditBody(data)}</div></div>`,
  }
}

/** @param name file name without the extension */
function exported(name: string, rows: AsyncGenerator<readonly PlacedAuditEntry[]>): PageAnswer {
  return {
    kind: 'download',
    pieces: linesOf(rows),
    headers: {
      'content-type': 'application/jsonl; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.jsonl"`,
    },
  }
}

async function* linesOf(rows: AsyncGenerator<readonly PlacedAuditEntry[]>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const entries of rows) {
    yield encoder.encode(entries.map((entry) => `${JSON.stringify(exportedEntry(entry))}\n`).join(''))
  }
}
