/** Stages the logs of checks that a project will have. */
import type { Flip } from '../../domain/check/flip.ts'
import type { ImportedCheck, ImportedProject, ImportSource } from '../../domain/import/import-source.ts'
import { isSameFlip } from '../../domain/import/imported-check.ts'
import { isBefore } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { flipsKeptSince } from '../../services/retention.ts'
import type { LogExtent } from '../../store/store.ts'
import type { ImportDeps } from './deps.ts'
import type { Importing, LogCounts } from './importing.ts'
import { LogStager, requireGoing } from './log-stager.ts'

const CHECKS_AT_ONCE = 500
const NOTHING: LogExtent = { n: 0, flipN: 0 }

/** What an earlier import has staged of them is used. */
export async function stageLogs(
  importing: Importing,
  project: Pick<ImportedProject, 'id'>,
  checks: readonly ImportedCheck[],
): Promise<{ readonly logs: ReadonlyMap<string, LogExtent>; readonly counts: LogCounts }> {
  const { deps, run, onRows } = importing
  const logs = new Map<string, LogExtent>()
  const counts = { pings: 0, flips: 0 }
  const stager = new LogStager(deps, { signal: run.signal, onRows })
  for (const batch of inBatches(checks, CHECKS_AT_ONCE)) {
    const before = await stagedBefore(importing, batch)
    for (const check of batch) {
      requireGoing(run.signal)
      const extent = await stageLog(importing, stager, project.id, check, before.get(check.id) ?? NOTHING)
      if (extent.reached.n > 0 || extent.reached.flipN > 0) logs.set(check.id, extent.reached)
      counts.pings += extent.pings
      counts.flips += extent.flips
    }
  }
  await stager.flush()
  return { logs, counts }
}

/** Drops what does not fit the source any more. */
async function stagedBefore(
  { deps, source }: Pick<Importing, 'deps' | 'source'>,
  checks: readonly ImportedCheck[],
): Promise<Map<string, LogExtent>> {
  const { store } = deps
  const ids = checks.map(({ id }) => id)
  const extents = new Map((await store.findImportExtents(ids)).map((extent, index) => [ids[index] ?? '', extent]))
  const leaving = ids.filter((id) => extents.get(id)?.isLeaving)
  await store.removeDeletedLogs(leaving)
  const staged = checks.flatMap((check) => {
    const extent = extents.get(check.id)?.staged
    return extent ? [{ check, extent }] : []
  })
  const flips = await store.findStagedFlips(staged.map(({ check }) => check.id))
  const unfitIds: string[] = []
  for (const [index, { check, extent }] of staged.entries()) {
    const isLonger = extent.n > check.nPings || extent.flipN > check.nFlips
    if (isLonger || !(await hasFlip(deps, source, check, extent.flipN, flips[index] ?? null))) unfitIds.push(check.id)
  }
  if (unfitIds.length > 0) {
    await store.dropStagedLogs(unfitIds)
    await store.removeDeletedLogs(unfitIds)
  }
  return new Map(
    staged
      .filter(({ check }) => !unfitIds.includes(check.id))
      .map(({ check, extent: { n, flipN } }) => [check.id, { n, flipN }]),
  )
}

/**
 * Whether the newest flip that was staged has the same number in the source still, which may have removed old ones.
 * @param staged null: retention has removed it
 */
async function hasFlip(
  { now }: ImportDeps,
  source: ImportSource,
  check: ImportedCheck,
  n: number,
  staged: Flip | null,
): Promise<boolean> {
  if (n === 0) return true
  for await (const [flip] of source.flips(check, n - 1)) {
    if (flip === undefined) return false
    return staged === null ? isBefore(flip.createdAt, flipsKeptSince(now())) : isSameFlip(staged, flip)
  }
  return false
}

interface StagedLog extends LogCounts {
  readonly reached: LogExtent
}

async function stageLog(
  { source }: Importing,
  stager: LogStager,
  projectId: string,
  check: ImportedCheck,
  before: LogExtent,
): Promise<StagedLog> {
  const of = { checkId: check.id, projectId }
  let reached = before
  const counts = { pings: 0, flips: 0 }
  for await (const flips of source.flips(check, before.flipN)) {
    reached = await stager.add(of, reached, { flips })
    counts.flips += flips.length
  }
  for await (const pings of source.pings(check, before.n)) {
    reached = await stager.add(of, reached, { pings })
    counts.pings += pings.length
  }
  return { ...counts, reached }
}
