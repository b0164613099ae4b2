/** The tools that the store's methods are built from. */
import type { AuditTrail } from '../audit.ts'
import type { ChangeFeed } from '../revisions/change-feed.ts'
import type { Revisions } from '../revisions/revisions.ts'
import type { Database, Sql } from '../sql/database.ts'
import type { Steps } from '../sql/steps.ts'
import type { audited } from './methods.ts'
import type { Writes } from './writes.ts'

export interface Access extends Writes {
  readonly database: Database
  readonly read: Database['read']
  readonly steps: Steps
  readonly feed: ChangeFeed
  readonly revisions: Revisions
  /** maximum size of the bodies in a check's log in bytes, not counting the newest entry */
  readonly logBytes: number
}

/** Tools for changes that an author makes. The functions record their changes with `trail.note(before, after)`. */
export interface AuthorAccess extends Access {
  readonly trail: (sql: Sql) => AuditTrail
  readonly each: ReturnType<typeof audited>
}
