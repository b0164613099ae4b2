/** The planned maintenance of the demo. */
import type { Actor } from '../../src/domain/actor.ts'
import type { Deps } from '../../src/services/common/deps.ts'
import { createSilence } from '../../src/services/silences/silences.ts'

/** Plans a window every Sunday afternoon, for the checks that use the databases. */
export async function planMaintenance(deps: Pick<Deps, 'store' | 'now' | 'random'>, actor: Actor): Promise<void> {
  await createSilence(deps, actor, {
    match: { checks: [], tags: ['etl'] },
    startsAt: deps.now(),
    endsAt: null,
    untilHealthy: false,
    window: { schedule: '0 13 * * 0', tz: 'Europe/Riga', seconds: 3 * 3_600 },
    upTo: 'down',
    reason: 'Upgrades of the databases',
  })
}
