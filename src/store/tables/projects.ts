/** The tables that contain projects, their keys, status pages and audit logs. */
import type { AuditEntry } from '../../domain/audit/audit.ts'
import type { PlacedAuditEntry } from '../../domain/audit/audit-list.ts'
import type { Project, StoredKey } from '../../domain/project.ts'
import type { StatusPage } from '../../domain/status-page/status-page.ts'
import { columns, flag, instant, json, type Members, named, number, orNull, table, text, word } from '../sql/columns.ts'

/** SQL condition for projects that are not staged. Only imports can find staged projects. */
export const SHOWN_PROJECT = 'projects.staged_at IS NULL'

export const PROJECTS = table<Project>(
  'projects',
  'id',
  {
    id: text,
    name: text,
    badgeKey: text,
    pingLogLimit: number,
    createdAt: instant,
    slug: text,
    isSearched: named('search', flag),
    tz: orNull(text),
  },
  'staged_at',
)

export const KEYS = table<StoredKey>('keys', 'lookup', {
  lookup: text,
  projectId: text,
  kind: word(),
  hint: text,
  createdAt: instant,
  name: text,
  lastUsedAt: orNull(instant),
})

/** The table of status pages. Sections are JSON, because they are read and written together. */
export const STATUS_PAGES = table<StatusPage>('status_pages', 'project_id', {
  projectId: text,
  slug: text,
  isPublic: flag,
  isIndexed: flag,
  title: text,
  text,
  tz: text,
  sections: json(),
  updatedAt: instant,
})

const ENTRY: Members<AuditEntry> = {
  author: columns({
    changeId: text,
    kind: named('author_kind', word()),
    accountId: named('author_id', orNull(text)),
    name: named('author_name', text),
    address: named('remote_addr', orNull(text)),
    at: named('created_at', instant),
  }),
  projectId: orNull(text),
  action: word(),
  subject: columns({
    kind: named('subject_kind', word()),
    id: named('subject_id', text),
    name: named('subject_name', text),
  }),
  before: named('old_values', orNull(json())),
  after: named('new_values', orNull(json())),
}

export const AUDIT = table<PlacedAuditEntry>('audit', 'change_id n', { ...ENTRY, n: number })
export const AUDIT_ENTRIES = columns(ENTRY)
