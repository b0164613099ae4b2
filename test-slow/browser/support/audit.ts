/** The audit log as a walk compares it with what it did: each row of a person, oldest first. */
import type { AuditEntry } from '../../../src/domain/audit/audit.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { listAudit } from '../../../src/store/audit.ts'
import { openUrl } from '../../../test/support/open-url.ts'

const LIMIT = 1_000

/** @returns the newest rows of the database of a server, newest first */
export async function auditIn(databaseUrl: string): Promise<AuditEntry[]> {
  const database = await openUrl(databaseUrl)
  try {
    return await database.read((sql) => listAudit(sql, LIMIT))
  } finally {
    await database.close()
  }
}

/**
 * Rows of one change have the same time and keep their order. Other changes of a walk must differ in time, except that a session may begin in
 * the millisecond of what it follows.
 * @returns such as `jane@example.org edit account jane@example.org: has_password`
 */
export function changesByPeople(entries: readonly AuditEntry[]): string[] {
  return entries
    .filter(({ author }) => author.kind === 'person')
    .toSorted((a, b) => Temporal.Instant.compare(a.author.at, b.author.at) || Number(isSignIn(a)) - Number(isSignIn(b)))
    .map((entry) => {
      const { author, action, subject } = entry
      const more = details(entry)
      const name = subject.kind === 'key' && subject.name === subject.id ? 'without a name' : subject.name
      return `${author.name} ${action} ${subject.kind} ${name}${more.length > 0 ? `: ${more.join(', ')}` : ''}`
    })
}

/** What changed, or how somebody signed in. */
function details(entry: AuditEntry): readonly string[] {
  const { action, after } = entry
  if (action === 'edit') return Object.keys(after ?? {})
  return isSignIn(entry) ? Object.values(after ?? {}).flatMap((by) => (typeof by === 'string' ? [by] : [])) : []
}

function isSignIn({ action, subject }: AuditEntry): boolean {
  return action === 'create' && subject.kind === 'session'
}
