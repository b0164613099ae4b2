/** Incidents that nobody was told of, with what holds that: a silence, or somebody who is on it. */
import { type Actor, may, requireRight } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Incident } from '../../domain/incident/incident.ts'
import { incidentForReader } from '../../domain/incident/reader.ts'
import type { Silence } from '../../domain/silence/silence.ts'
import type { Deps } from '../common/deps.ts'
import { findSilences } from '../silences/silences.ts'

export interface UntoldIncident {
  /** open */
  readonly incident: Incident
  /** as it is now */
  readonly check: Check
  /** the one that holds it; null: somebody is on it, or the silence is gone */
  readonly silence: Silence | null
}

/** The open ones of the project, newest first. For whoever may only read, without the emails of people and without what allows pings. */
export async function listUntold(
  deps: Pick<Deps, 'store'>,
  actor: Actor,
  limit: number,
): Promise<readonly UntoldIncident[]> {
  requireRight(actor, 'read')
  const incidents = await deps.store.incidents.listUntold(actor.project.id, limit)
  if (incidents.length === 0) return []
  const [found, silences] = await Promise.all([
    deps.store.checks.findMany(incidents.map(({ checkId }) => checkId)),
    findSilences(
      deps,
      actor,
      incidents.flatMap(({ held }) => (held?.why === 'silence' ? [held.silenceId] : [])),
    ),
  ])
  const checks = new Map(found.map(({ check }) => [check.id, check]))
  return incidents.flatMap((incident) => {
    const check = checks.get(incident.checkId)
    if (check === undefined) return []
    const silence = incident.held?.why === 'silence' ? (silences.get(incident.held.silenceId) ?? null) : null
    return [{ incident: may(actor, 'write') ? incident : incidentForReader(incident), check, silence }]
  })
}
