/** Reads the acknowledgements and silences that may be holding back checks' alerts. */
import type { Actor } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Incident } from '../../domain/incident/incident.ts'
import { incidentFor } from '../../domain/incident/reader.ts'
import { type Silenced, silencedBy } from '../../domain/silence/silenced-by.ts'
import type { Deps } from '../common/deps.ts'
import { listSilencesOf } from '../silences/silences.ts'

export interface CheckStanding {
  /** the check's open incident; null if there is none */
  readonly incident: Incident | null
  /** the active silence that lasts longest; null if the check is not silenced */
  readonly silencedBy: Silenced | null
}

type ReadDeps = Pick<Deps, 'store' | 'now'>

export const NOTHING_STANDS: CheckStanding = { incident: null, silencedBy: null }

export async function readStanding(deps: ReadDeps, actor: Actor, check: Check): Promise<CheckStanding> {
  return (await readStandings(deps, actor, [check])).get(check.id) ?? NOTHING_STANDS
}

/**
 * Returns the acknowledgement and silence of each check. For read-only members, email addresses, ping URLs and keys are removed.
 * @param checks the project's checks; pass only a few
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
