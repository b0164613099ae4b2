/** Writes that tell afterwards what they have changed: the revisions, who watches, and other processes. */
import { Refusal } from '../../domain/errors.ts'
import type { ChangeFeed } from '../revisions/change-feed.ts'
import { type Changing, changedChecks, type Revisions, shownBy } from '../revisions/revisions.ts'
import type { Database, Sql, WriteKind } from '../sql/database.ts'

/** Whose alerts, or which project's integrations. */
interface OfAlerts {
  readonly projectId: string
  readonly checkId?: string
}

export interface Writes {
  /** For writes that change nothing that the API shows of checks. */
  readonly writeUntracked: Database['write']
  /** For writes that say which checks they have changed. */
  readonly writeChanging: <Result>(work: (sql: Sql) => Promise<Changing<Result>>, kind?: WriteKind) => Promise<Result>
  /** For writes that change who may see what. */
  readonly writeAccess: Database['write']
  /** For writes that change what became of an alert, or an integration. They return null if they have changed nothing. */
  readonly writeAlerts: <Changed extends OfAlerts>(
    work: (sql: Sql) => Promise<Changed | null>,
  ) => Promise<Changed | null>
  /** For writes that change all that belongs to a project. Every check counts as changed, and other processes look for what is due. */
  readonly writeProject: Database['write']
  /** For all others: every check counts as changed. */
  readonly write: Database['write']
}

export function createWrites(database: Database, revisions: Revisions, feed: ChangeFeed): Writes {
  const allChanged = () => {
    revisions.allChanged()
    feed.publish({ kind: 'all' })
  }
  const writeUntracked: Database['write'] = (work, kind) => database.write(work, kind, () => 'nothing')
  /** A write refused as `unavailable` may have been committed, to a file that was then taken away. */
  const writeTracked: Database['write'] = async (work, kind, shown) => {
    try {
      return await database.write(work, kind, shown)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'unavailable') allChanged()
      throw error
    }
  }
  const write: Database['write'] = async (work) => {
    const result = await writeTracked(work)
    allChanged()
    return result
  }
  const writeChanging = async <Result>(
    work: (sql: Sql) => Promise<Changing<Result>>,
    kind?: WriteKind,
  ): Promise<Result> => {
    const { result, changes } = await writeTracked(work, kind, (done) => shownBy(done.changes, kind === 'pings'))
    revisions.changed(changes)
    feed.checks(changes)
    // A flip owes deliveries, an edit may move a deadline, and a silence that ends may owe what it has held.
    if (changes.statuses || changes.edited.size > 0) database.notify(changedChecks(changes))
    return result
  }
  const writeAlerts: Writes['writeAlerts'] = async (work) => {
    const changed = await writeUntracked(work)
    if (!changed) return null
    const { projectId, checkId } = changed
    feed.publish({ kind: 'alerts', projectId, checkId: checkId ?? null })
    // An alert that has ended or is due earlier: another process may send the next one, and pages are open there.
    if (checkId !== undefined) database.notify([{ projectId, checkId }])
    return changed
  }
  const writeAccess: Database['write'] = async (work) => {
    const result = await database.write(work)
    revisions.accessChanged()
    return result
  }
  const writeProject: Database['write'] = async (work) => {
    const result = await write(work)
    revisions.accessChanged()
    database.notify([])
    return result
  }
  return { writeProject, writeUntracked, writeChanging, writeAlerts, writeAccess, write }
}
