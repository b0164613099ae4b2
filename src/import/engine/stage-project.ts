/** Stages a project with its checks, so that one short transaction can show all of it. */
import { inBatches } from '../../lib/work/batches.ts'
import { rules } from '../../services/common/rules.ts'
import type { ProjectImport } from '../../store/store.ts'
import type { Importing } from './importing.ts'
import { paced, requireGoing } from './log-stager.ts'

/** Of a transaction. They take about five milliseconds on SQLite. */
export const CHECKS_AT_ONCE = 100

/**
 * @returns its `importId`
 * @throws Refusal `import-stopped` after the signal, and what `ImportStore.beginProject` and `stageChecks` throw
 */
export async function stageProject(
  { deps, run }: Pick<Importing, 'deps' | 'run'>,
  order: ProjectImport,
): Promise<string> {
  const { store, now, random } = deps
  const project = { projectId: order.project.id, importId: random.uuid() }
  await paced(() => store.beginProject(order, project.importId, now()))
  for (const checks of inBatches(order.checks, CHECKS_AT_ONCE)) {
    requireGoing(run.signal)
    await paced(() => store.stageChecks(project, { checks, logs: order.logs }, rules(deps), now()))
  }
  return project.importId
}
