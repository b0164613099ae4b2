/** Reads what keeps the telling of a check: who is on its open incident, and what mutes it. */
import { type Actor, may } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Incident } from '../../domain/incident/incident.ts'
import { incidentForReader, silenceForReader } from '../../domain/incident/reader.ts'
import { mutedBy } from '../../domain/silence/muted.ts'
import type { Silence } from '../../domain/silence/silence.ts'
import type { Deps } from '../common/deps.ts'
import { listSilences } from '../silences/silences.ts'

export interface CheckStanding {
  /** the open one; null: it has none */
  readonly incident: Incident | null
  /** what mutes the check now, the longest; null: it is not muted */
  readonly muted: Silence | null
}

/** For whoever may only read, without the emails of people and without what allows pings. */
export async function readStanding(
  deps: Pick<Deps, 'store' | 'now'>,
  actor: Actor,
  check: Check,
): Promise<CheckStanding> {
  const [[newest], silences] = await Promise.all([
    deps.store.incidents.list(check.id, null, 1),
    listSilences(deps, actor),
  ])
  const incident = newest?.resolvedAt === null ? newest : null
  const muted = mutedBy(silences, check, deps.now())
  if (may(actor, 'write')) return { incident, muted }
  return { incident: incident && incidentForReader(incident), muted: muted && silenceForReader(muted) }
}
