/**
 * Handles the staged data of imports that were killed or stopped. The next import continues with the data that matches its source, and
 * deletes the rest.
 */
import type { Flip } from '../../domain/check/flip.ts'
import { isSameFlip } from '../../domain/import/grown-check.ts'
import type { ImportPlan } from '../../domain/import/import-plan.ts'
import type { ImportedCheck, ImportSource } from '../../domain/import/import-source.ts'
import { addSeconds, type Instant, isBefore } from '../../lib/time.ts'
import { flipsKeptSince } from '../../services/retention.ts'
import type { LogExtent } from '../../store/store.ts'
import type { ImportDeps } from './importing.ts'

/** Period in seconds within which a running import always stages data. */
const UNDER_WAY_SECONDS = 600

/**
 * Deletes the staged data that this import does not continue: staged projects without their logs, and the logs of projects that are not in
 * this plan.
 */
export async function dropLeft({ store, now }: ImportDeps, plan: ImportPlan): Promise<void> {
  const wanted = new Map(plan.projects.flatMap(({ added, source }) => added.map(({ id }) => [id, source.id] as const)))
  const after = addSeconds(now(), -UNDER_WAY_SECONDS)
  const [logs, projects] = [await store.imports.listStagedLogs(), await store.imports.listStagedProjects()]
  const underWay = new Set(logs.filter(({ stagedAt }) => !isBefore(stagedAt, after)).map(({ projectId }) => projectId))
  const ours = new Set([
    ...plan.projects.map(({ source }) => source.id),
    ...logs.filter(({ checkId }) => wanted.has(checkId)).map(({ projectId }) => projectId),
  ])
  for (const project of projects) {
    if (!ours.has(project.id) && !isBefore(project.stagedAt, after)) underWay.add(project.id)
    else while (await store.imports.dropStagedProject(project)) {}
  }
  const left = logs.filter(({ checkId, projectId }) => {
    const isWanted = wanted.get(checkId) === projectId
    return !isWanted && (wanted.has(checkId) || !underWay.has(projectId))
  })
  await store.imports.dropStagedLogs(left.map(({ checkId }) => checkId))
}

/** Returns, by check id, how much of each check's log is staged. Deletes logs that no longer match the source. */
export async function stagedBefore(
  { deps, source }: { readonly deps: ImportDeps; readonly source: ImportSource },
  checks: readonly ImportedCheck[],
): Promise<Map<string, LogExtent>> {
  const { store, now } = deps
  const ids = checks.map(({ id }) => id)
  const extents = new Map((await store.imports.findExtents(ids)).map((extent, index) => [ids[index] ?? '', extent]))
  await store.imports.removeDeletedLogs(ids.filter((id) => extents.get(id)?.isLeaving))
  const staged = checks.flatMap((check) => {
    const extent = extents.get(check.id)?.staged
    return extent ? [{ check, extent }] : []
  })
  const flips = await store.imports.findStagedFlips(staged.map(({ check }) => check.id))
  const unfitIds: string[] = []
  const fit = new Map<string, LogExtent>()
  for (const [index, { check, extent }] of staged.entries()) {
    const { n, eventN } = extent
    const isLonger = n > check.nPings || eventN > check.nEvents
    const isFit = !isLonger && (await hasFlip(source, check, eventN, flips[index] ?? null, flipsKeptSince(now())))
    if (isFit) fit.set(check.id, { n, eventN })
    else unfitIds.push(check.id)
  }
  if (unfitIds.length > 0) {
    await store.imports.dropStagedLogs(unfitIds)
    await store.imports.removeDeletedLogs(unfitIds)
  }
  return fit
}

/**
 * Returns true if the newest staged flip has the same number in the source. Numbers can differ, because the source may have removed old
 * flips. @param staged null if retention has removed the flip, because it is older than `keptSince`
 */
async function hasFlip(
  source: ImportSource,
  check: ImportedCheck,
  n: number,
  staged: Flip | null,
  keptSince: Instant,
): Promise<boolean> {
  if (n === 0) return true
  for await (const [flip] of source.flips(check, n - 1)) {
    if (flip === undefined) return false
    return staged === null ? isBefore(flip.createdAt, keptSince) : isSameFlip(staged, flip)
  }
  return false
}
