/** Adds what is new in the source to a project that an earlier import has made. */
import type { Check } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { GrowingProjectPlan, GrownCheck } from '../../domain/import/import-plan.ts'
import { runsAfter, sparedCheck, stateOf, withEntries } from '../../domain/import/imported-check.ts'
import type { PastEvent } from '../../domain/log/past-runs.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import type { Project } from '../../domain/project.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { authorOf } from '../../services/common/author.ts'
import { rules } from '../../services/common/rules.ts'
import type { ProjectExtension } from '../../store/store.ts'
import { nameOf } from './growth.ts'
import type { Importing, LogCounts } from './importing.ts'
import { paced, requireGoing } from './log-stager.ts'
import { checkOf } from './order.ts'
import { stageLogs } from './stage.ts'
import { CHECKS_AT_ONCE } from './stage-project.ts'

export async function extendProject(importing: Importing, planned: GrowingProjectPlan): Promise<LogCounts> {
  const { deps, by, source, run } = importing
  const { project, added, grown } = planned
  const grownBy = { pings: 0, flips: 0 }
  for (const check of grown) {
    requireGoing(run.signal)
    const counts = await extendCheck(importing, project, check)
    grownBy.pings += counts.pings
    grownBy.flips += counts.flips
  }
  const { logs, counts } = await stageLogs(importing, project, added)
  const extension = { kind: source.kind, projectId: project.id, logs }
  const add = (more: Pick<ProjectExtension, 'checks' | 'pings' | 'flips'>) =>
    deps.store.by(authorOf(deps, by)).extendProject({ ...extension, ...more }, rules(deps))
  for (const batch of inBatches(added, CHECKS_AT_ONCE)) {
    requireGoing(run.signal)
    const checks = batch.map((check) => checkOf(deps, project, check))
    await paced(() => add({ checks, pings: 0, flips: 0 }))
  }
  await add({ checks: [], ...grownBy })
  return { pings: counts.pings + grownBy.pings, flips: counts.flips + grownBy.flips }
}

/** Pages follow each other in transactions of their own; the last one brings the state. */
async function extendCheck(
  { deps, source, onRows, left }: Importing,
  project: Project,
  grown: GrownCheck,
): Promise<LogCounts> {
  const { source: imported, here, keptFlips } = grown
  const flips = await newerFlips(source.flips(imported, 0), grown)
  const nFlips = keptFlips + flips.length
  let seen = { n: here.check.nPings, flipN: here.check.nFlips }
  let events: PastEvent[] = []
  let added = 0
  const extend = async (pings: readonly Ping[], isLast: boolean) => {
    const state = isLast ? (check: Check) => extendedCheck(check, grown, nFlips, events, deps.now()) : null
    const ours = isLast ? flips : []
    const kept = isLast ? keptFlips : seen.flipN
    const extension = { checkId: imported.id, seen, keptFlips: kept, pings, flips: ours, state }
    if (!(await paced(() => deps.store.extendCheck(extension, rules(deps))))) return false
    seen = { ...seen, n: pings.at(-1)?.n ?? seen.n }
    added += pings.length
    onRows(pings.length)
    return true
  }
  const leave = () => {
    left.set(imported.id, changedMeanwhile(project, grown, added))
    return { pings: added, flips: 0 }
  }
  let page: readonly Ping[] = []
  for await (const next of source.pings(imported, seen.n)) {
    if (page.length > 0 && !(await extend(page, false))) return leave()
    page = next
    events = withEntries(events, next)
  }
  if (!(await extend(page, true))) return leave()
  return { pings: added, flips: flips.length }
}

function changedMeanwhile(project: Project, { here }: GrownCheck, added: number): ImportNote {
  return {
    ...{ kind: 'left-out', subject: 'check', name: nameOf(here.check), project: project.name },
    reason: `It was pinged, changed or deleted here during the import. Newer pings that were added before: ${added}.`,
    advice: 'It stays as it is here.',
  }
}

/** Those that are not here, numbered as they will be here. */
async function newerFlips(pages: AsyncIterable<readonly Flip[]>, { keptFlips, flipShift }: GrownCheck) {
  const all = (await Array.fromAsync(pages)).flat()
  return all.filter(({ n }) => n + flipShift > keptFlips).map((flip, index) => ({ ...flip, n: keptFlips + index + 1 }))
}

function extendedCheck(
  stored: Check,
  { source }: GrownCheck,
  nFlips: number,
  events: readonly PastEvent[],
  now: Parameters<typeof sparedCheck>[1],
): Check {
  return sparedCheck({ ...stored, ...stateOf(source, nFlips), runs: runsAfter(stored, events) }, now)
}
