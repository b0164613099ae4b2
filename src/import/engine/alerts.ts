/** The history of alerts: ended deliveries, to be looked at. */
import type { PlannedProject } from '../../domain/import/import-plan.ts'
import type { ImportedAlert } from '../../domain/import/import-source.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { Importing } from './importing.ts'
import { paced, requireGoing } from './log-stager.ts'

const ALERTS_AT_ONCE = 200

/** Those of checks that are as they are in the source; what is here already is left out. @returns how many it added */
export async function addHistory({ deps, source, run, left }: Importing, planned: PlannedProject): Promise<number> {
  let added = 0
  for await (const page of source.alerts(planned.source)) {
    for (const alerts of inBatches(page, ALERTS_AT_ONCE)) {
      requireGoing(run.signal)
      const known = alerts.flatMap((alert) => (left.has(alert.checkId) ? [] : alertHere(planned, alert)))
      added += await paced(() => deps.store.addAlerts(known))
    }
  }
  return added
}

/** As it is numbered here; none for a check that is left alone. */
function alertHere(planned: PlannedProject, alert: ImportedAlert): ImportedAlert[] {
  if (planned.kind === 'new' || planned.added.some(({ id }) => id === alert.checkId)) return [alert]
  const shift = planned.followed.get(alert.checkId)
  return shift === undefined ? [] : [{ ...alert, flipN: alert.flipN + shift }]
}
