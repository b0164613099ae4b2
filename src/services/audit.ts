/** Reads the audit log. Project managers may read their project's rows, and administrators may read all rows. */
import { type Actor, type Operator, type Person, requireAdministrator, requireRight } from '../domain/actor.ts'
import {
  type AuditFilter,
  type AuditPlace,
  type AuditRange,
  isWanted,
  type PlacedAuditEntry,
  placeOf,
} from '../domain/audit/audit-list.ts'
import type { Deps } from './common/deps.ts'

/** The query for a list or an export. The project is determined by the actor. */
export type AuditQuery = AuditFilter & Omit<AuditRange, 'projectId'>

export interface AuditList {
  readonly entries: readonly PlacedAuditEntry[]
  /** the row after which the next page begins; null if this is the last page; a page may be empty even if more pages follow */
  readonly next: AuditPlace | null
}

interface ServerAuditList extends AuditList {
  /** names of the projects in these rows, keyed by id; deleted projects are missing */
  readonly projects: ReadonlyMap<string, string>
}

type Reads = Pick<Deps, 'store' | 'eventLoop'>

const PAGE = 50
/** Number of rows per read. It is small enough that a read takes only a few milliseconds. */
const STEP = 200
/** Maximum number of rows to read for a page. */
const READ_AT_MOST = 5_000

/** @param after the last row of the previous page; null for the first page @throws Refusal `forbidden`, `read-only` */
export async function readProjectAudit(
  deps: Reads,
  actor: Actor,
  query: AuditQuery,
  after: AuditPlace | null,
): Promise<AuditList> {
  requireRight(actor, 'manage')
  return readPage(deps, { ...query, projectId: actor.project.id }, after)
}

/** Like {@link readProjectAudit}, but for all rows, including rows that do not belong to a project. @throws Refusal `forbidden` */
export async function readServerAudit(
  deps: Reads,
  by: Person | Operator,
  query: AuditQuery,
  after: AuditPlace | null,
): Promise<ServerAuditList> {
  requireAdministrator(by)
  const list = await readPage(deps, { ...query, projectId: null }, after)
  return { ...list, projects: await namesOf(deps, list.entries) }
}

async function namesOf({ store }: Reads, entries: AuditList['entries']): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(entries.flatMap(({ projectId }) => projectId ?? []))
  const names = new Map<string, string>()
  for (const id of ids) {
    const project = await store.projects.find(id)
    if (project !== null) names.set(id, project.name)
  }
  return names
}

/** Yields all rows of a list in small batches, newest first. @throws Refusal `forbidden`, `read-only` */
export function exportProjectAudit(
  deps: Reads,
  actor: Actor,
  query: AuditQuery,
): AsyncGenerator<readonly PlacedAuditEntry[]> {
  requireRight(actor, 'manage')
  return readAll(deps, { ...query, projectId: actor.project.id })
}

/** @throws Refusal `forbidden` */
export function exportServerAudit(
  deps: Reads,
  by: Person | Operator,
  query: AuditQuery,
): AsyncGenerator<readonly PlacedAuditEntry[]> {
  requireAdministrator(by)
  return readAll(deps, { ...query, projectId: null })
}

type Asked = AuditFilter & AuditRange

async function readPage(deps: Reads, asked: Asked, after: AuditPlace | null): Promise<AuditList> {
  const entries: PlacedAuditEntry[] = []
  let place = after
  for (let seen = 0; seen < READ_AT_MOST; seen += STEP) {
    const rows = await readStep(deps, asked, place)
    for (const row of rows) {
      if (!isWanted(row, asked)) continue
      // Reading one row more than the page contains shows whether there is a next page.
      if (entries.length === PAGE) return { entries, next: lastPlace(entries) }
      entries.push(row)
    }
    place = lastPlace(rows)
    if (rows.length < STEP) return { entries, next: null }
  }
  return { entries, next: place }
}

function lastPlace(rows: readonly PlacedAuditEntry[]): AuditPlace | null {
  const last = rows.at(-1)
  return last === undefined ? null : placeOf(last)
}

async function* readAll(deps: Reads, asked: Asked): AsyncGenerator<readonly PlacedAuditEntry[]> {
  let place: AuditPlace | null = null
  do {
    const rows: readonly PlacedAuditEntry[] = await readStep(deps, asked, place)
    yield rows.filter((row) => isWanted(row, asked))
    place = rows.length < STEP ? null : lastPlace(rows)
  } while (place !== null)
}

function readStep({ store, eventLoop }: Reads, asked: Asked, after: AuditPlace | null): Promise<PlacedAuditEntry[]> {
  return eventLoop.step(() => store.audit.read(asked, after, STEP))
}
