/** Incidents that were never alerted, with their hold: a silence, or a person who is on it. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import { isNamed } from '../../domain/alert/delivery-list.ts'
import type { Incident } from '../../domain/incident/incident.ts'
import { incidentFor } from '../../domain/incident/reader.ts'
import type { Silence } from '../../domain/silence/silence.ts'
import { type Instant, isBefore, Temporal } from '../../lib/time.ts'
import { findChecks } from '../checks/checks.ts'
import type { Deps } from '../common/deps.ts'
import { readPages } from '../common/pages.ts'
import { findSilences } from '../silences/silences.ts'
import { type IncidentOfCheck, withChecks } from './list.ts'

/** An open incident that was never alerted. */
export interface UntoldIncident extends IncidentOfCheck {
  /** the silence that holds it; null: somebody is on it, or the silence is deleted */
  readonly silence: Silence | null
}

/** The required properties of an incident. */
export interface UntoldFilter {
  /** null: any check */
  readonly checkId: string | null
  /** opened since then; null: at any time */
  readonly since: Instant | null
  /** part of the name of its check; '' for all */
  readonly text: string
}

/**
 * Returns open incidents of the project that were never alerted, newest first. People who may only read get no emails of people, and no
 * secrets that allow pings.
 */
export async function listUntold(
  deps: Pick<Deps, 'store'>,
  actor: Actor,
  filter: UntoldFilter,
  limit: number,
): Promise<readonly UntoldIncident[]> {
  requireRight(actor, 'read')
  const incidents = await newestOf(deps, actor, filter, limit)
  if (incidents.length === 0) return []
  const [found, silences] = await Promise.all([
    withChecks(deps.store, incidents),
    findSilences(
      deps,
      actor,
      incidents.flatMap(({ held }) => (held?.why === 'silence' ? [held.silenceId] : [])),
    ),
  ])
  return found.map(({ incident, check }) => {
    const silence = incident.held?.why === 'silence' ? (silences.get(incident.held.silenceId) ?? null) : null
    return { incident: incidentFor(actor, incident), check, silence }
  })
}

async function newestOf(
  deps: Pick<Deps, 'store'>,
  actor: Actor,
  filter: UntoldFilter,
  limit: number,
): Promise<readonly Incident[]> {
  const { checkId, since, text } = filter
  let newest: readonly Incident[] = []
  for await (const page of pagesOf(deps, actor, checkId)) {
    const recent = page.filter(({ openedAt }) => since === null || !isBefore(openedAt, since))
    const wanted = text === '' ? recent : await withName(deps, actor, recent, text)
    newest = [...newest, ...wanted].sort((a, b) => Temporal.Instant.compare(b.openedAt, a.openedAt)).slice(0, limit)
  }
  return newest
}

async function* pagesOf(
  { store }: Pick<Deps, 'store'>,
  { project }: Actor,
  checkId: string | null,
): AsyncGenerator<readonly Incident[]> {
  if (checkId === null) {
    yield* readPages((after) => store.incidents.listUntold(project.id, after))
    return
  }
  const newest = await store.incidents.listNewest([checkId])
  yield newest.filter(({ resolvedAt, told }) => resolvedAt === null && told === null)
}

async function withName(
  deps: Pick<Deps, 'store'>,
  actor: Actor,
  incidents: readonly Incident[],
  text: string,
): Promise<readonly Incident[]> {
  const named = new Set<string>()
  const ids = incidents.map(({ checkId }) => checkId)
  for await (const page of findChecks(deps, actor, ids)) {
    for (const { check } of page) if (isNamed([check.name], text)) named.add(check.id)
  }
  return incidents.filter(({ checkId }) => named.has(checkId))
}
