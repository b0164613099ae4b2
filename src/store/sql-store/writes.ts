/** Runs writes, and then reports their changes to the revisions, to watchers and to other processes. */
import { Refusal } from '../../domain/errors.ts'
import type { ChangeFeed } from '../revisions/change-feed.ts'
import { type Changing, changedChecks, type Revisions, shownBy } from '../revisions/revisions.ts'
import type { Database, Sql, WriteKind } from '../sql/database.ts'

/** The check whose alerts have changed, or the project whose integrations have changed. */
interface OfAlerts {
  readonly projectId: string
  readonly checkId?: string
}

export interface Writes {
  /** for writes that do not change anything that the API shows about checks */
  readonly writeUntracked: Database['write']
  /** for writes that return which checks they have changed */
  readonly writeChanging: <Result>(work: (sql: Sql) => Promise<Changing<Result>>, kind?: WriteKind) => Promise<Result>
  /** for writes that change anyone's access */
  readonly writeAccess: Database['write']
  /** for writes that change the state of an alert or an integration; they return null if nothing has changed */
  readonly writeAlerts: <Changed extends OfAlerts>(
    work: (sql: Sql) => Promise<Changed | null>,
  ) => Promise<Changed | null>
  /** for writes that change the states of several alerts; they return those alerts */
  readonly writeSomeAlerts: <Result extends { readonly changed: readonly OfAlerts[] }>(
    work: (sql: Sql) => Promise<Result>,
  ) => Promise<Result>
  /** for writes that change all of a project's data; every check counts as changed, and other processes search for due work */
  readonly writeProject: Database['write']
  /** for all other writes; every check counts as changed */
  readonly write: Database['write']
}

export function createWrites(database: Database, revisions: Revisions, feed: ChangeFeed): Writes {
  const allChanged = () => {
    revisions.allChanged()
    feed.publish({ kind: 'all' })
  }
  const writeUntracked: Database['write'] = (work, kind) => database.write(work, kind, () => 'nothing')
  /**
   * Runs a write. If the write fails with `unavailable`, it may have been committed anyway, for example to a file that was then removed.
   * All checks then count as changed.
   */
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
    // Other processes are notified because a flip may create deliveries, an edit may move a deadline, and the end of a silence may release
    // alerts.
    if (changes.statuses || changes.edited.size > 0) database.notify(changedChecks(changes))
    return result
  }
  const alertsChanged = ({ projectId, checkId }: OfAlerts) => {
    feed.publish({ kind: 'alerts', projectId, checkId: checkId ?? null })
    // An alert has ended or has become due earlier. Other processes are notified because they may have to send the next alert, or because
    // users may have pages open on them.
    if (checkId !== undefined) database.notify([{ projectId, checkId }])
  }
  const writeAlerts: Writes['writeAlerts'] = async (work) => {
    const changed = await writeUntracked(work)
    if (changed) alertsChanged(changed)
    return changed
  }
  const writeSomeAlerts: Writes['writeSomeAlerts'] = async (work) => {
    const result = await writeUntracked(work)
    for (const changed of result.changed) alertsChanged(changed)
    return result
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
  return { writeProject, writeUntracked, writeChanging, writeAlerts, writeSomeAlerts, writeAccess, write }
}
