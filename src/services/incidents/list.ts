/** Lists a project's incidents, newest first. */
import type { Actor } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import { hasTags } from '../../domain/check/tags.ts'
import type { Incident } from '../../domain/incident/incident.ts'
import { incidentFor } from '../../domain/incident/reader.ts'
import { Temporal } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { FOUND_AT_ONCE } from '../checks/checks.ts'
import type { Deps } from '../common/deps.ts'
import { mergeIncidents } from './merge.ts'

type Store = Deps['store']

/** Filter for incidents. A null property matches all incidents. */
export interface IncidentFilter {
  readonly isOpen: boolean | null
  readonly checkId: string | null
  /** a tag that the incident's check must have */
  readonly tag: string | null
}

export interface IncidentOfCheck {
  readonly incident: Incident
  /** the incident's check in its current state */
  readonly check: Check
}

/** Yields incidents in pages, some of which may be empty. For read-only members, email addresses, ping URLs and keys are removed. */
export async function* listIncidents(
  { store }: Pick<Deps, 'store'>,
  actor: Actor,
  filter: IncidentFilter,
): AsyncGenerator<readonly IncidentOfCheck[]> {
  const { project } = actor
  const { isOpen, tag } = filter
  const isWanted = ({ incident, check }: IncidentOfCheck) =>
    check.projectId === project.id &&
    (isOpen === null || isOpen === (incident.resolvedAt === null)) &&
    (tag === null || hasTags(check.tags, [tag]))
  for await (const page of pagesOf(store, project.id, filter)) {
    for (const some of inBatches(page, FOUND_AT_ONCE)) {
      const found = await withChecks(store, some)
      yield found.filter(isWanted).map(({ incident, check }) => ({ incident: incidentFor(actor, incident), check }))
    }
  }
}

/** Yields pages that contain all matching incidents, and possibly others. */
function pagesOf(
  store: Store,
  projectId: string,
  { isOpen, checkId, tag }: IncidentFilter,
): AsyncGenerator<readonly Incident[]> {
  if (checkId !== null) return pagesOfCheck(store, checkId)
  return isOpen ? openOnes(store, projectId) : mergeIncidents(store, projectId, tag === null ? [] : [tag])
}

const OF_CHECK_AT_ONCE = 200

async function* pagesOfCheck(store: Store, checkId: string): AsyncGenerator<readonly Incident[]> {
  let before: number | null = null
  do {
    const page: readonly Incident[] = await store.incidents.list(checkId, before, OF_CHECK_AT_ONCE)
    yield page
    before = page.length < OF_CHECK_AT_ONCE ? null : (page.at(-1)?.n ?? null)
  } while (before !== null)
}

async function* openOnes(store: Store, projectId: string): AsyncGenerator<readonly Incident[]> {
  const open = await store.incidents.listOpen(projectId)
  yield open.toSorted((a, b) => Temporal.Instant.compare(b.openedAt, a.openedAt))
}

/** Returns the incidents with their checks. Skips incidents whose check has been deleted. */
export async function withChecks(store: Store, incidents: readonly Incident[]): Promise<readonly IncidentOfCheck[]> {
  const found = await store.checks.findMany([...new Set(incidents.map(({ checkId }) => checkId))])
  const checks = new Map(found.map(({ check }) => [check.id, check]))
  return incidents.flatMap((incident) => {
    const check = checks.get(incident.checkId)
    return check === undefined ? [] : [{ incident, check }]
  })
}
