/** Reads what may hold the alerts of checks: acknowledgements of their open incidents, and silences. */
import type { Actor } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Incident } from '../../domain/incident/incident.ts'
import { incidentFor } from '../../domain/incident/reader.ts'
import { type Silenced, silencedBy } from '../../domain/silence/silenced-by.ts'
import type { Deps } from '../common/deps.ts'
import { listSilencesOf } from '../silences/silences.ts'

export interface CheckStanding {
  /** the open incident; null: there is none */
  readonly incident: Incident | null
  /** the silence that holds it longest now; null: it is not silenced */
  readonly silencedBy: Silenced | null
}

type ReadDeps = Pick<Deps, 'store' | 'now'>

export const NOTHING_STANDS: CheckStanding = { incident: null, silencedBy: null }

export async function readStanding(deps: ReadDeps, actor: Actor, check: Check): Promise<CheckStanding> {
  return (await readStandings(deps, actor, [check])).get(check.id) ?? NOTHING_STANDS
}

/**
 * Returns the standing of each check. People who may only read get no emails of people, and no secrets that allow pings.
 * @param checks few, of the project
 */
export async function readStandings(
  deps: ReadDeps,
  actor: Actor,
  checks: readonly Check[],
): Promise<ReadonlyMap<string, CheckStanding>> {
  const silencesOf = await listSilencesOf(deps, actor, checks)
  const now = deps.now()
  const standings = await Promise.all(
    checks.map(async (check) => {
      const [newest] = check.status === 'down' ? await deps.store.incidents.list(check.id, null, 1) : []
      const incident = newest?.resolvedAt === null ? newest : null
      const shown = incident && incidentFor(actor, incident)
      return [check.id, { incident: shown, silencedBy: silencedBy(silencesOf(check), check, now) }] as const
    }),
  )
  return new Map(standings)
}
