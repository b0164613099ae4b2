/** Lists problems and recoveries across several projects. */

import type { Actor } from '../../domain/actor.ts'
import { type Doubt, doubtOf } from '../../domain/advice/doubt.ts'
import type { Check } from '../../domain/check/check.ts'
import { type ShownCheck, showCheck } from '../../domain/check/shown-check.ts'
import { type Instant, Temporal } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { RecoveredCheck } from '../../store/store.ts'
import { type CheckView, viewChecks } from '../checks/check-views.ts'
import { FOUND_AT_ONCE, findChecks } from '../checks/checks.ts'
import { findShownAdvice, NO_ADVICE, type ShownAdvice } from '../checks/shown-advice.ts'
import type { Deps } from '../common/deps.ts'
import { readPages } from '../common/pages.ts'

/**
 * Yields the checks that are down, late or slow in pages, some of which may be empty. Projects are read one after another, in order of
 * creation.
 * @param actors the reader's rights in each project that they are allowed to see
 */
export async function* listProblems(
  deps: Pick<Deps, 'store'>,
  actors: readonly Actor[],
  now: Instant,
): AsyncGenerator<readonly CheckView[]> {
  for (const actor of actors) {
    for await (const ids of readPages((after) => deps.store.overview.listProblems(actor.project.id, now, after))) {
      for await (const checks of findChecks(deps, actor, ids)) {
        const advice = await findShownAdvice(
          deps,
          checks.map(({ check }) => check.id),
          now,
        )
        const views = await viewChecks(deps, checks, now, advice)
        yield views.filter(isProblem)
      }
    }
  }
}

/** Returns true if a check needs attention, because of its state or its current run. */
export function isProblem({ state, isSlow }: Pick<ShownCheck, 'state' | 'isSlow'>): boolean {
  return state === 'down' || state === 'late' || isSlow
}

/** A project's checks that would alert no one, counted by problem. */
export interface Unheard {
  readonly advice: Readonly<Record<Doubt, number>>
  /** number of checks that would alert no one and are neither down, late nor slow */
  readonly checks: number
  /** number of these checks, by the state under which they would otherwise be counted */
  readonly wouldBe: Readonly<Record<Resting, number>>
  /** true if there may be more checks */
  readonly isCut: boolean
}

/** The state of a check that is neither down, late nor slow: as expected, paused, not pinged yet, or resumed and not pinged since then. */
type Resting = 'expected' | 'paused' | 'unpinged' | 'resumed'

/** Maximum number of checks to read. */
const LOOKED_AT = 500

/** @param advice the advice on the project's checks */
export async function countUnheard(
  deps: Pick<Deps, 'store'>,
  actor: Actor,
  advice: ShownAdvice,
  now: Instant,
): Promise<Unheard> {
  const doubted = [...advice].flatMap(([id, one]) => {
    const doubt = doubtOf(one)
    return doubt === null ? [] : [{ id, doubt }]
  })
  const doubts = new Map(doubted.slice(0, LOOKED_AT).map(({ id, doubt }) => [id, doubt]))
  const byDoubt: Record<Doubt, number> = { untold: 0, unwatched: 0 }
  const wouldBe: Record<Resting, number> = { expected: 0, paused: 0, unpinged: 0, resumed: 0 }
  for await (const checks of findChecks(deps, actor, [...doubts.keys()])) {
    for (const { check } of checks) {
      const doubt = doubts.get(check.id)
      if (doubt !== undefined) byDoubt[doubt] += 1
      const resting = restingOf(check, now)
      if (resting !== null) wouldBe[resting] += 1
    }
  }
  const checks = Object.values(wouldBe).reduce((sum, number) => sum + number, 0)
  return { advice: byDoubt, checks, wouldBe, isCut: doubted.length > LOOKED_AT }
}

/** Returns null if the check is down, late or slow. */
function restingOf(check: Check, now: Instant): Resting | null {
  const shown = showCheck(check, now)
  if (isProblem(shown)) return null
  const { state } = shown
  if (state === 'paused') return 'paused'
  if (check.status === 'up') return 'expected'
  return check.nEvents === 0 ? 'unpinged' : 'resumed'
}

export interface Recovery extends CheckView {
  /** time at which the check recovered */
  readonly at: Instant
  /** number of the flip that changed the status to up */
  readonly flipN: number
  /** time at which the check went down; null if that is no longer known */
  readonly downSince: Instant | null
}

/**
 * Yields the checks that recovered since a given time and are not down again, in pages, most recent recovery first. Each check is listed
 * once, with its last recovery. Pages may be empty. The caller can stop once it has enough checks.
 */
export async function* listRecoveries(
  deps: Pick<Deps, 'store'>,
  actors: readonly Actor[],
  since: Instant,
  now: Instant,
): AsyncGenerator<readonly Recovery[]> {
  const projects = new Set(actors.map(({ project }) => project.id))
  const recovered: RecoveredCheck[] = []
  for (const projectId of projects) {
    for await (const page of readPages((after) => deps.store.overview.listRecoveries(projectId, since, after))) {
      recovered.push(...page)
    }
  }
  recovered.sort((a, b) => Temporal.Instant.compare(b.at, a.at))
  for (const some of inBatches(recovered, FOUND_AT_ONCE)) yield await viewRecoveries(deps, some, projects, now)
}

async function viewRecoveries(
  deps: Pick<Deps, 'store'>,
  recovered: readonly RecoveredCheck[],
  projects: ReadonlySet<string>,
  now: Instant,
): Promise<readonly Recovery[]> {
  const found = await deps.store.checks.findMany(recovered.map(({ checkId }) => checkId))
  // The check may have been moved to another project since the recoveries were read.
  const views = await viewChecks(
    deps,
    found.filter(({ check }) => projects.has(check.projectId)),
    now,
    // A recovered check is shown with the alerts that were sent, rather than with those that would be sent now.
    NO_ADVICE,
  )
  const byId = new Map(views.map((view) => [view.check.id, view]))
  return recovered.flatMap(({ checkId, n, at, downSince }) => {
    const view = byId.get(checkId)
    return view === undefined || view.state === 'down' ? [] : { ...view, at, flipN: n, downSince }
  })
}
