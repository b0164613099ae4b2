/** Reads the store's paged lists to their end. */
import type { BadgeCheck } from '../../src/domain/badge/status.ts'
import type { Flip, FlipFilter } from '../../src/domain/check/flip.ts'
import type { CheckWithChannels } from '../../src/domain/check/representation.ts'
import type { CheckWithRuns } from '../../src/domain/metrics/project-metrics.ts'
import { readPages } from '../../src/services/common/pages.ts'
import type { CheckFilter, Store } from '../../src/store/store.ts'

async function toEnd<Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  return (await Array.fromAsync(pages)).flat()
}

export function allChecks(store: Store, projectId: string, filter: CheckFilter = {}): Promise<CheckWithChannels[]> {
  return toEnd(readPages((after) => store.checks.list(projectId, filter, after)))
}

export function allChecksWithRuns(store: Store, projectId: string): Promise<CheckWithRuns[]> {
  return toEnd(readPages((after) => store.checks.listWithRuns(projectId, after)))
}

export function allBadgeChecks(store: Store, projectBadgeKey: string): Promise<BadgeCheck[]> {
  return toEnd(readPages((after) => store.badges.listChecks(projectBadgeKey, after)))
}

export function allFlips(store: Store, checkId: string, filter: FlipFilter = {}): Promise<Flip[]> {
  return toEnd(readPages((after) => store.flips.list(checkId, filter, after)))
}
