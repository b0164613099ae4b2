/** Lists of the audit log: their filters, and the format of an exported row. */
import type { Instant } from '../../lib/time.ts'
import type { Author } from '../author.ts'
import type { AuditAction, AuditEntry, AuditSubjectKind, AuditValues } from './audit.ts'

/** A filter of a list's rows. */
export interface AuditFilter {
  /** part of {@link authorWords}; '' for any author */
  readonly who: string
  /** null: any */
  readonly action: AuditAction | null
  readonly kind: AuditSubjectKind | null
  /** part of the subject's name; '' for any */
  readonly text: string
}

/** The rows that a list reads. */
export interface AuditRange {
  /** null: all rows, also those of no project */
  readonly projectId: string | null
  /** null: from the first row on */
  readonly since: Instant | null
  /** rows before this time; null: up to the newest */
  readonly until: Instant | null
}

/** Identifies a row. */
export interface AuditPlace {
  readonly at: Instant
  readonly changeId: string
  /** number of the row within its change */
  readonly n: number
}

export interface PlacedAuditEntry extends AuditEntry {
  readonly n: number
}

export function placeOf({ author: { at, changeId }, n }: PlacedAuditEntry): AuditPlace {
  return { at, changeId, n }
}

/** Returns the author of a change in words: an email, `API key abcd1234`, or `command`. */
export function authorWords({ kind, name }: Pick<Author, 'kind' | 'name'>): string {
  if (kind === 'command') return 'command'
  return kind === 'key' ? `API key ${name}` : name
}

/** Whether an entry matches a filter. Texts are compared ignoring case. */
export function isWanted({ author, action, subject }: AuditEntry, filter: AuditFilter): boolean {
  return (
    (filter.action === null || action === filter.action) &&
    (filter.kind === null || subject.kind === filter.kind) &&
    has(authorWords(author), filter.who) &&
    has(subject.name, filter.text)
  )
}

function has(words: string, part: string): boolean {
  return part === '' || words.toLowerCase().includes(part.toLowerCase())
}

/** A line of an export. */
interface ExportedAuditEntry {
  /** ISO 8601 in UTC, exact to the microsecond */
  readonly time: string
  /** the same for all rows of one change */
  readonly change_id: string
  readonly author: {
    readonly kind: Author['kind']
    readonly account_id: string | null
    readonly name: string
    readonly address: string | null
  }
  readonly project_id: string | null
  readonly action: AuditAction
  readonly subject: AuditEntry['subject']
  readonly before: AuditValues | null
  readonly after: AuditValues | null
}

export function exportedEntry({ author, projectId, action, subject, before, after }: AuditEntry): ExportedAuditEntry {
  const { kind, accountId, name, address, at, changeId } = author
  return {
    time: at.toString({ smallestUnit: 'microsecond' }),
    change_id: changeId,
    author: { kind, account_id: accountId, name, address },
    project_id: projectId,
    action,
    subject,
    before,
    after,
  }
}
