/** Adds new data from the source to a project that an earlier import created. */
import type { Check } from '../../domain/check/check.ts'
import { makePublicId } from '../../domain/check/public-id.ts'
import { grownCheck } from '../../domain/import/grown-check.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { GrowingProjectPlan, GrownCheck } from '../../domain/import/import-plan.ts'
import { madeCheck, withEntries } from '../../domain/import/imported-check.ts'
import type { PastEvent } from '../../domain/log/past-runs.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import type { Project } from '../../domain/project.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { ProjectExtension, ProjectImport } from '../../store/store.ts'
import { nameOf } from './growth.ts'
import type { Importing, LogCounts } from './importing.ts'
import { CHECKS_AT_ONCE } from './new-project.ts'

/** @param logs staged logs of the new checks @returns number of rows added to existing checks */
export async function extendProject(
  importing: Importing,
  { project, added, grown }: GrowingProjectPlan,
  logs: ProjectImport['logs'],
): Promise<LogCounts> {
  const { deps, source, rules } = importing
  const counts = { pings: 0, flips: 0 }
  for (const check of grown) {
    importing.requireGoing()
    const grownBy = await extendCheck(importing, project, check)
    counts.pings += grownBy.pings
    counts.flips += grownBy.flips
  }
  const add = (more: Pick<ProjectExtension, 'checks' | 'pings' | 'flips'>) =>
    importing.changes.imports.extendProject({ kind: source.kind, projectId: project.id, logs, ...more }, rules)
  for (const batch of inBatches(added, CHECKS_AT_ONCE)) {
    importing.requireGoing()
    const checks = batch.map((check) => madeCheck(check, project.id, makePublicId(deps.random.bytes), deps.now()))
    await importing.write(() => add({ checks, pings: 0, flips: 0 }))
  }
  await add({ checks: [], ...counts })
  return counts
}

/** Extends a check. Each page is written in its own transaction. The last transaction adds the flips and the state. */
async function extendCheck(importing: Importing, project: Project, grown: GrownCheck): Promise<LogCounts> {
  const { deps, source, rules, left } = importing
  const { source: imported, here, keptEvents, newFlips } = grown
  const checkId = imported.id
  let seen = { n: here.check.nPings, eventN: here.check.nEvents }
  let events: PastEvent[] = []
  let added = 0
  const extend = async (pings: readonly Ping[], isLast: boolean) => {
    const state = (check: Check) => grownCheck(check, grown, events, deps.now())
    const rest = isLast ? { keptEvents, flips: newFlips, state } : { keptEvents: seen.eventN, flips: [], state: null }
    if (!(await importing.write(() => deps.store.imports.extendCheck({ checkId, seen, pings, ...rest }, rules))))
      return false
    seen = { ...seen, n: pings.at(-1)?.n ?? seen.n }
    added += pings.length
    importing.wrote(pings.length)
    return true
  }
  const leave = () => {
    left.set(checkId, changedMeanwhile(project, grown, added))
    return { pings: added, flips: 0 }
  }
  let page: readonly Ping[] = []
  for await (const next of source.pings(imported, seen.n)) {
    if (page.length > 0 && !(await extend(page, false))) return leave()
    page = next
    events = withEntries(events, next)
  }
  if (!(await extend(page, true))) return leave()
  return { pings: added, flips: newFlips.length }
}

function changedMeanwhile(project: Project, { here }: GrownCheck, added: number): ImportNote {
  return {
    ...{ kind: 'left-out', subject: 'check', name: nameOf(here.check), project: project.name },
    reason: `It was pinged, changed or deleted here during the import. Newer pings that were added before that: ${added}.`,
    advice: 'It is unchanged here.',
  }
}
