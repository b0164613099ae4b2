/** Applies a plan. Each project is imported completely or not at all. If an import is interrupted, the next import continues it. */
import { type Operator, type Person, requireAdministrator } from '../../domain/actor.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { ImportPlan, PlannedProject } from '../../domain/import/import-plan.ts'
import type { ImportSource } from '../../domain/import/import-source.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { extendProject } from './extend.ts'
import { type ImportDeps, Importing, type ImportRun, type LogCounts } from './importing.ts'
import { makeProject } from './new-project.ts'
import { dropLeft } from './resume.ts'
import { stageLogs } from './stage.ts'

export interface Applied {
  /** counts by project id */
  readonly counts: ReadonlyMap<string, ProjectCounts>
  /** notes about changes that users made on this server during the import */
  readonly notes: readonly ImportNote[]
}

/** Numbers of rows that were written. */
interface ProjectCounts extends LogCounts {
  readonly alerts: number
}

/**
 * @param plan plan for this source; the caller must have created it immediately before
 * @throws Refusal `forbidden` if the person is not an administrator; `import-stopped` if the signal is aborted; `import-clash` or
 * `import-interrupted` if another writer changed the project. Rows that were already written are kept, and the next import continues after
 * the last row
 */
export async function applyImport(
  deps: ImportDeps,
  by: Person | Operator,
  source: ImportSource,
  plan: ImportPlan,
  run: ImportRun,
): Promise<Applied> {
  requireAdministrator(by)
  await dropLeft(deps, plan)
  const importing = new Importing(deps, by, source, run, await source.countPings())
  const applied = new Map<string, ProjectCounts>()
  for (const planned of plan.projects) {
    const { logs, counts } = await stageLogs(importing, planned.project.id, planned.added)
    let grown = NOTHING
    if (planned.kind === 'new') await makeProject(importing, planned, plan.accounts, logs)
    else grown = await extendProject(importing, planned, logs)
    const [pings, flips] = [counts.pings + grown.pings, counts.flips + grown.flips]
    applied.set(planned.source.id, { pings, flips, alerts: await addHistory(importing, planned) })
  }
  // Creates the accounts that are not members of a new project. The other accounts were created together with their first project.
  for (const account of plan.accounts) {
    if ((await deps.store.accounts.find(account.email)) === null) await importing.changes.accounts.create(account)
  }
  deps.onPrunable()
  return { counts: applied, notes: [...importing.left.values()] }
}

const NOTHING: LogCounts = { pings: 0, flips: 0 }

const ALERTS_AT_ONCE = 200

/**
 * Adds the alert history as finished deliveries, which are read-only. Alerts are added only if their check is unchanged, with the flip
 * numbers that this server uses. Alerts that already exist are skipped. @returns the number of added alerts
 */
async function addHistory(importing: Importing, planned: PlannedProject): Promise<number> {
  const { deps, source, left } = importing
  let added = 0
  for await (const page of source.alerts(planned.source)) {
    for (const batch of inBatches(page, ALERTS_AT_ONCE)) {
      importing.requireGoing()
      const alerts = batch.flatMap((alert) => {
        const shift = planned.kind === 'new' ? 0 : planned.followed.get(alert.checkId)
        return shift === undefined || left.has(alert.checkId) ? [] : [{ ...alert, eventN: alert.eventN + shift }]
      })
      added += await importing.write(() => deps.store.imports.addAlerts(alerts))
    }
  }
  return added
}
