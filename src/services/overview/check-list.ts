/** Reads a project's checks for the checks page. The checks are filtered, counted and sorted. */

import { type Actor, may } from '../../domain/actor.ts'
import { type Fingerprint, fingerprintOf, NO_CHECKS, plus } from '../../domain/check/fingerprint.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { showCheck } from '../../domain/check/shown-check.ts'
import {
  compareEntries,
  createMatcher,
  type ListCounts,
  type ListEntry,
  type ListQuery,
  ListTally,
  listEntry,
} from '../../domain/list/check-list.ts'
import type { CheckView } from '../../domain/list/check-view.ts'
import type { Instant } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { sortInSteps } from '../../lib/work/sort-in-steps.ts'
import { viewChecks } from '../checks/check-views.ts'
import { findChecks, listChecks } from '../checks/checks.ts'
import { readShownAdvice } from '../checks/shown-advice.ts'
import type { Deps } from '../common/deps.ts'

/** Maximum number of checks to keep in memory. In larger projects, checks are reread when their rows are shown. */
const HELD = 2_000
/** Number of checks per step. Reading why that many checks are down, or rendering their rows, takes a few milliseconds. */
const VIEWED_AT_ONCE = 20

export interface CheckList {
  /** fingerprint of the project, for the position of a live page */
  readonly seen: Fingerprint
  /** counts of all the project's checks, regardless of the query */
  readonly counts: ListCounts
  /** matching checks, in order */
  readonly entries: readonly ListEntry[]
  /** yields views of the entries in batches, in the same order; deleted checks are skipped */
  readonly views: (entries: readonly ListEntry[]) => AsyncGenerator<readonly CheckView[]>
}

export type CheckListDeps = Pick<Deps, 'store' | 'budget'>

/** Reads all of the project's checks once. */
export async function readCheckList(
  deps: CheckListDeps,
  actor: Actor,
  query: ListQuery,
  now: Instant,
): Promise<CheckList> {
  const available = () => deps.budget.available()
  const advice = await readShownAdvice(deps, actor.project.id, now)
  const counts = new ListTally()
  let seen = NO_CHECKS
  const matches = createMatcher(query, may(actor, 'write'))
  const matching: ListEntry[] = []
  const held = new Map<string, CheckWithChannels>()
  for await (const page of listChecks(deps, actor, {})) {
    await available()
    for (const found of page) {
      const { check } = found
      const shown = showCheck(check, now)
      const standing = { ...shown, advice: advice.get(check.id) ?? null }
      counts.add(check, standing)
      seen = plus(seen, fingerprintOf(found))
      if (!matches(check, standing)) continue
      matching.push(listEntry(check, standing, shown.expected, query.sort))
      if (counts.total <= HELD) held.set(check.id, found)
    }
    if (counts.total > HELD) held.clear()
  }
  const entries = await sortInSteps(matching, compareEntries(query), available)
  return {
    seen,
    counts,
    entries,
    async *views(wanted) {
      for (const some of inBatches(wanted, VIEWED_AT_ONCE)) {
        const ids = some.map(({ id }) => id)
        const checks = held.size > 0 ? ids.flatMap((id) => held.get(id) ?? []) : await find(deps, actor, ids)
        await available()
        const views = await viewChecks(deps, checks, now, advice)
        // The caller will render these rows immediately.
        await available()
        yield views
      }
    },
  }
}

async function find(
  deps: Pick<Deps, 'store'>,
  actor: Actor,
  ids: readonly string[],
): Promise<readonly CheckWithChannels[]> {
  const found: CheckWithChannels[] = []
  for await (const page of findChecks(deps, actor, ids)) found.push(...page)
  return found
}
