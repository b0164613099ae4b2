/** Carries out a plan: each project is there whole or not at all, and a plan that was interrupted is completed by the next one. */
import { type Operator, type Person, requireAdministrator } from '../../domain/actor.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { ImportPlan, NewProjectPlan } from '../../domain/import/import-plan.ts'
import type { ImportedCheck, ImportSource } from '../../domain/import/import-source.ts'
import { addSeconds, isBefore } from '../../lib/time.ts'
import { authorOf } from '../../services/common/author.ts'
import { addHistory } from './alerts.ts'
import type { ImportDeps } from './deps.ts'
import { extendProject } from './extend.ts'
import type { Importing, ImportRun, LogCounts, ProjectCounts } from './importing.ts'
import { requireGoing } from './log-stager.ts'
import { projectImport } from './order.ts'
import { stageLogs } from './stage.ts'
import { stageProject } from './stage-project.ts'

export interface Applied {
  /** by the projects' ids */
  readonly counts: ReadonlyMap<string, ProjectCounts>
  /** of what changed here meanwhile */
  readonly notes: readonly ImportNote[]
}

/**
 * @param plan of this source, made a moment before
 * @throws Refusal `forbidden` for a person who is no administrator; `import-stopped` after the signal; `import-clash`, `import-interrupted`
 * when somebody else has written meanwhile. What was written before stays, and the next import goes on from there
 */
export async function applyImport(
  deps: ImportDeps,
  by: Person | Operator,
  source: ImportSource,
  plan: ImportPlan,
  run: ImportRun,
): Promise<Applied> {
  requireAdministrator(by)
  const importing = await beginImport(deps, by, source, plan, run)
  const applied = new Map<string, ProjectCounts>()
  for (const project of plan.projects) {
    const counts =
      project.kind === 'new' ? await makeProject(importing, project) : await extendProject(importing, project)
    const alerts = await addHistory(importing, project)
    applied.set(project.source.id, { ...counts, alerts })
  }
  await addOtherAccounts(importing)
  deps.onPrunable()
  return { counts: applied, notes: [...importing.left.values()] }
}

async function beginImport(
  deps: ImportDeps,
  by: Person | Operator,
  source: ImportSource,
  plan: ImportPlan,
  run: ImportRun,
): Promise<Importing> {
  await dropLeft(deps, plan)
  const rows = await source.countPings()
  let done = 0
  const onRows = (more: number) => {
    done += more
    run.onWork({ doing: 'importing', table: 'pings', rows: Math.max(rows, done), done })
  }
  onRows(0)
  return { deps, by, source, plan, run, onRows, left: new Map() }
}

/** An import that is under way has staged something of its project within this time. */
const UNDER_WAY_SECONDS = 600

/** What imports have left that were killed: staged projects, whose logs stay staged, and the logs of other projects. */
async function dropLeft({ store, now }: ImportDeps, plan: ImportPlan): Promise<void> {
  const wanted = new Map(
    plan.projects.flatMap((each) => newChecks(each).map(({ id }) => [id, each.source.id] as const)),
  )
  const after = addSeconds(now(), -UNDER_WAY_SECONDS)
  const [logs, projects] = [await store.listStagedLogs(), await store.listStagedProjects()]
  const underWay = new Set(logs.filter(({ stagedAt }) => !isBefore(stagedAt, after)).map(({ projectId }) => projectId))
  const ours = new Set([
    ...plan.projects.map(({ source }) => source.id),
    ...logs.filter(({ checkId }) => wanted.has(checkId)).map(({ projectId }) => projectId),
  ])
  for (const project of projects) {
    if (!ours.has(project.id) && !isBefore(project.stagedAt, after)) underWay.add(project.id)
    else while (await store.dropStagedProject(project)) {}
  }
  const left = logs.filter(({ checkId, projectId }) => {
    const isWanted = wanted.get(checkId) === projectId
    return !isWanted && (wanted.has(checkId) || !underWay.has(projectId))
  })
  await store.dropStagedLogs(left.map(({ checkId }) => checkId))
}

function newChecks(planned: ImportPlan['projects'][number]): readonly ImportedCheck[] {
  return planned.kind === 'new' ? planned.source.checks : planned.added
}

async function makeProject(importing: Importing, planned: NewProjectPlan): Promise<LogCounts> {
  const { deps, by, source, plan, run } = importing
  const { logs, counts } = await stageLogs(importing, planned.source, planned.source.checks)
  const order = await projectImport(deps, source.kind, plan, planned, logs)
  const importId = await stageProject(importing, order)
  requireGoing(run.signal)
  await deps.store.by(authorOf(deps, by)).importProject(order, importId)
  return counts
}

/** People without a place in any project; the others have come with the first of theirs. */
async function addOtherAccounts({ deps, by, plan }: Importing): Promise<void> {
  for (const account of plan.accounts) {
    const isHere = (await deps.store.findAccount(account.email)) !== null
    if (!isHere) await deps.store.by(authorOf(deps, by)).createAccount(account)
  }
}
