/** Stages a project with its checks, so that one short transaction can show all of it, however large it is. */
import { inBatches } from '../../lib/batches.ts'
import type { ImportedLogs, ProjectImport, StagedProject } from '../../store/store.ts'
import { rules } from '../rules.ts'
import type { Importing } from './importing.ts'
import { pauseAfter, requireGoing } from './log-stager.ts'

/** Of a transaction. They take about five milliseconds on SQLite. */
const CHECKS_AT_ONCE = 100

/** @throws Refusal `import-stopped` after the signal, and what `ImportStore.stageProject` and `stageChecks` throw */
export async function stageProject(
  { deps, run }: Pick<Importing, 'deps' | 'run'>,
  order: ProjectImport,
): Promise<ImportedLogs & Pick<StagedProject, 'importId'>> {
  const { store, now, random } = deps
  const { id: projectId, pingLogLimit } = order.project
  const importId = random.uuid()
  await store.stageProject(order, importId, now())
  const logs = { pings: 0, flips: 0 }
  for (const checks of inBatches(order.checks, CHECKS_AT_ONCE)) {
    requireGoing(run.signal)
    const began = performance.now()
    const staged = { projectId, pingLogLimit, importId }
    const { pings, flips } = await store.stageChecks(staged, { checks, logs: order.logs }, rules(deps), now())
    logs.pings += pings
    logs.flips += flips
    await pauseAfter(began)
  }
  return { importId, ...logs }
}
