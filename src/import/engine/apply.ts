/** Carries out a plan. Each project is imported whole or not at all, and the next import completes an interrupted plan. */
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
  /** notes about changes here during the import */
  readonly notes: readonly ImportNote[]
}

/** Counts of written rows. */
interface ProjectCounts extends LogCounts {
  readonly alerts: number
}

/**
 * @param plan plan of this source, made just before
 * @throws Refusal `forbidden` for a person who is not an administrator; `import-stopped` after the signal; `import-clash` or
 * `import-interrupted` after another writer's changes. Rows written so far stay, and the next import continues from there
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
  // Creates accounts that belong to no new project. The others were created with their first project.
  for (const account of plan.accounts) {
    if ((await deps.store.accounts.find(account.email)) === null) await importing.changes.accounts.create(account)
  }
  deps.onPrunable()
  return { counts: applied, notes: [...importing.left.values()] }
}

const NOTHING: LogCounts = { pings: 0, flips: 0 }

const ALERTS_AT_ONCE = 200

/**
 * Adds the history of alerts: ended deliveries, only for reading. Takes alerts of unchanged checks only, with the numbers that
 * flips have here. Skips alerts that already exist. @returns the number of added alerts
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
