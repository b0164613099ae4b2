/** The audit log: who changed what. It does not contain secrets. */
import { within } from '../../lib/text/text.ts'
import type { Author } from '../author.ts'

export const AUDIT_ACTIONS = ['create', 'edit', 'delete', 'export'] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** Kinds of subjects, in the order used by the filter. */
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

/** Settings as JSON, without secrets. Long strings are shortened in the log. */
export type AuditValues = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** The effect of one change on one subject. */
export interface AuditRecord {
  /** the subject's project; null if the subject doesn't belong to a project */
  readonly projectId: string | null
  readonly action: AuditAction
  readonly subject: { readonly kind: AuditSubjectKind; readonly id: string; readonly name: string }
  /** values before the change; for `edit`, only the changed ones; null for `create` and `export` */
  readonly before: AuditValues | null
  /** values after the change; for `edit`, only the changed ones; null for `delete` */
  readonly after: AuditValues | null
}

export interface AuditEntry extends AuditRecord {
  readonly author: Author
}

/** A subject with the values shown in the audit log. */
export interface Audited {
  readonly kind: AuditSubjectKind
  readonly id: string
  readonly name: string
  readonly projectId: string | null
  readonly values: AuditValues
}

/** Returns the record of a change, or null if none of the values shown in the log has changed. */
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

/** Returns the record of an export. Exports are logged even though they don't change anything. */
export function exportRecord({ kind, id, name, projectId, values }: Audited): AuditRecord {
  return { projectId, action: 'export', subject: { kind, id, name }, before: null, after: shortened(values) }
}

/** Whether two values serialize to the same JSON. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function pick(values: AuditValues, fields: readonly string[]): AuditValues {
  return shortened(Object.fromEntries(fields.map((field) => [field, values[field] ?? null])))
}

/** Maximum length of a string in the log. A description can be 100 kB long, and every edit would log the old one. */
const TEXT_LIMIT = 1_000

function shortened(values: AuditValues): AuditValues {
  const entries = Object.entries(values)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? within(value, TEXT_LIMIT) : value]),
  )
}
