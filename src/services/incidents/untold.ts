/** Lists incidents that alerted nobody, and the reason: a silence, or a member who has taken the incident. */
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

/** An open incident that alerted nobody. */
export interface UntoldIncident extends IncidentOfCheck {
  /** the silence that holds back the alerts; null if a member has taken the incident, or if the silence was deleted */
  readonly silence: Silence | null
}

/** Filter for incidents. */
export interface UntoldFilter {
  /** null for all checks */
  readonly checkId: string | null
  /** lists only incidents that were opened since this time; null for all incidents */
  readonly since: Instant | null
  /** text that the check's name must contain; '' for all checks */
  readonly text: string
}

/**
 * Returns the project's open incidents that alerted nobody, newest first. For read-only members, email addresses, ping URLs and keys are
 * removed.
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
