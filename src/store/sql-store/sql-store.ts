/** The store for any {@link Database}. The files in this directory define which functions form a transaction. */

import type { Author } from '../../domain/author.ts'
import { PING_LOG_BYTES } from '../../domain/log/log-bytes.ts'
import { AuditTrail } from '../audit.ts'
import { ChangeFeed } from '../revisions/change-feed.ts'
import { NO_CHANGES, Revisions } from '../revisions/revisions.ts'
import type { Database, Sql } from '../sql/database.ts'
import { Steps, type StepTiming, UNTIMED } from '../sql/steps.ts'
import type { Access, AuthorAccess } from './access.ts'
import { adviceStore, adviceWrites } from './advice.ts'
import { alertsStore, alertsWrites } from './alerts.ts'
import { checksStore, checksWrites } from './checks.ts'
import { importsStore, importsWrites } from './imports.ts'
import { incidentsStore, incidentsWrites } from './incidents.ts'
import { audited } from './methods.ts'
import { peopleStore, peopleWrites } from './people.ts'
import { pingsStore } from './pings.ts'
import { projectsStore, projectsWrites } from './projects.ts'
import { serverStore, serverWrites } from './server.ts'
import { createWrites } from './writes.ts'

export interface Store extends ReturnType<typeof createStore> {}

/**
 * @param timing timing of the steps of long work
 * @param logBytes maximum size of the bodies in a check's log in bytes, not counting the newest entry
 */
export function createStore(database: Database, timing: StepTiming = UNTIMED, logBytes: number = PING_LOG_BYTES) {
  const feed = new ChangeFeed()
  const revisions = new Revisions(
    () => database.readOthers(),
    (touched) => feed.checks({ ...NO_CHANGES, touched, statuses: true }),
  )
  const writes = createWrites(database, revisions, feed)
  const read = database.read.bind(database)
  const access: Access = { ...writes, database, read, steps: new Steps(database, timing), feed, revisions, logBytes }
  return {
    /** @param author author of a single change; the next change needs an author with another `changeId` */
    by: (author: Author) => authoredWrites(access, author),
    close: () => database.close(),
    ...peopleStore(access),
    ...projectsStore(access),
    ...checksStore(access),
    ...pingsStore(access),
    ...adviceStore(access),
    ...alertsStore(access),
    ...incidentsStore(access),
    ...importsStore(access),
    ...serverStore(access),
  }
}

export interface AuthoredWrites extends ReturnType<typeof authoredWrites> {}

/**
 * Returns the methods for changes by users, API keys and commands. Each change is one transaction together with its row in the audit log.
 * Services call them through `store.by(authorOf(deps, actor.by))`. `domain/audit/subjects.ts` defines what the audit log shows of them.
 */
function authoredWrites(access: Access, author: Author) {
  const trail = (sql: Sql) => new AuditTrail(sql, author)
  const own: AuthorAccess = { ...access, trail, each: audited(author) }
  return {
    ...peopleWrites(own),
    ...projectsWrites(own),
    ...checksWrites(own),
    ...adviceWrites(own),
    ...alertsWrites(own),
    ...incidentsWrites(own),
    ...importsWrites(own),
    ...serverWrites(own),
  }
}
