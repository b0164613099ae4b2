/** The audit log: changes and their authors, without secrets. */
import { within } from '../../lib/text/text.ts'
import type { Author } from '../author.ts'

export const AUDIT_ACTIONS = ['create', 'edit', 'delete', 'export'] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** Kinds of subjects, in the order of filters. */
export const AUDIT_SUBJECT_KINDS = [
  'check',
  'channel',
  'delivery',
  'incident',
  'silence',
  'project',
  'member',
  'key',
  'status-page',
  'account',
  'session',
  'identity',
  'passkey',
  'invitation',
  'ownership-offer',
  'backup',
  'mail-server',
] as const
export type AuditSubjectKind = (typeof AUDIT_SUBJECT_KINDS)[number]

/** JSON, without secrets. Long texts are cut in the log. */
export type AuditValues = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** The effect of one change on one subject. */
export interface AuditRecord {
  /** null if the subject belongs to no project */
  readonly projectId: string | null
  readonly action: AuditAction
  readonly subject: { readonly kind: AuditSubjectKind; readonly id: string; readonly name: string }
  /** null for `create` and `export`; for `edit`, only the changed values */
  readonly before: AuditValues | null
  /** null for `delete`; for `edit`, only the changed values */
  readonly after: AuditValues | null
}

export interface AuditEntry extends AuditRecord {
  readonly author: Author
}

/** A subject as the audit log shows it. */
export interface Audited {
  readonly kind: AuditSubjectKind
  readonly id: string
  readonly name: string
  readonly projectId: string | null
  readonly values: AuditValues
}

/** Returns the record of a change, or null if nothing changed that the log shows. */
export function auditRecord(before: Audited | null, after: Audited | null): AuditRecord | null {
  const audited = after ?? before
  if (audited === null) return null
  const { kind, id, name, projectId } = audited
  const common = { projectId, subject: { kind, id, name } }
  if (before === null) return { ...common, action: 'create', before: null, after: after && shortened(after.values) }
  if (after === null) return { ...common, action: 'delete', before: shortened(before.values), after: null }
  const changed = Object.keys(after.values).filter((field) => !isSame(before.values[field], after.values[field]))
  if (changed.length === 0) return null
  return { ...common, action: 'edit', before: pick(before.values, changed), after: pick(after.values, changed) }
}

/** Returns the record of an export, which changes nothing. */
export function exportRecord({ kind, id, name, projectId, values }: Audited): AuditRecord {
  return { projectId, action: 'export', subject: { kind, id, name }, before: null, after: shortened(values) }
}

/** Whether two values are the same as JSON. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function pick(values: AuditValues, fields: readonly string[]): AuditValues {
  return shortened(Object.fromEntries(fields.map((field) => [field, values[field] ?? null])))
}

/** A description may have 100 kB, and the log keeps the former one of each change. */
const TEXT_LIMIT = 1_000

function shortened(values: AuditValues): AuditValues {
  const entries = Object.entries(values)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? within(value, TEXT_LIMIT) : value]),
  )
}
