/** Lists of audit log entries: their filters, and the format of exported rows. */
import type { Instant } from '../../lib/time.ts'
import type { Author } from '../author.ts'
import type { AuditAction, AuditEntry, AuditSubjectKind, AuditValues } from './audit.ts'

/** Conditions that rows must match to be listed. */
export interface AuditFilter {
  /** part of {@link authorWords}; '' for any author */
  readonly who: string
  /** action to list; null: any action */
  readonly action: AuditAction | null
  readonly kind: AuditSubjectKind | null
  /** part of the subject's name; '' for any name */
  readonly text: string
}

/** The range of rows to read for a list. */
export interface AuditRange {
  /** only this project's rows; null: all rows, including those that don't belong to a project */
  readonly projectId: string | null
  /** only rows at or after this time; null: no limit */
  readonly since: Instant | null
  /** only rows before this time; null: no limit */
  readonly until: Instant | null
}

/** A row's position in the log. */
export interface AuditPlace {
  readonly at: Instant
  readonly changeId: string
  /** number of the row within its change, because a change can produce several rows */
  readonly n: number
}

export interface PlacedAuditEntry extends AuditEntry {
  readonly n: number
}

export function placeOf({ author: { at, changeId }, n }: PlacedAuditEntry): AuditPlace {
  return { at, changeId, n }
}

/** Returns the author of a change, such as an email, `API key abcd1234` or `command`. */
export function authorWords({ kind, name }: Pick<Author, 'kind' | 'name'>): string {
  if (kind === 'command') return 'command'
  return kind === 'key' ? `API key ${name}` : name
}

/** Whether an entry matches a filter. Case is ignored. */
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

/** One line of an export. */
interface ExportedAuditEntry {
  /** ISO 8601 in UTC, with microseconds */
  readonly time: string
  /** id that is the same for all rows written by one change */
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
