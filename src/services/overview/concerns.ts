/** What is wrong, and what came back, over several projects. */

import type { Actor } from '../../domain/actor.ts'
import { type Doubt, doubtOf } from '../../domain/advice/doubt.ts'
import type { Check } from '../../domain/check/check.ts'
import { type ShownCheck, showCheck } from '../../domain/check/shown.ts'
import { type Instant, Temporal } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { RecoveredCheck } from '../../store/store.ts'
import { type CheckView, viewChecks } from '../checks/check-views.ts'
import { FOUND_AT_ONCE, findChecks } from '../checks/checks.ts'
import { findShownAdvice, NO_ADVICE, type ShownAdvice } from '../checks/shown-advice.ts'
import type { Deps } from '../common/deps.ts'
import { readPages } from '../common/pages.ts'

/**
 * The checks that are down, late or slow, page by page: project after project, in order of creation. A page may be empty.
 * @param actors somebody in each of the projects that they may see
 */
export async function* listConcerns(
  deps: Pick<Deps, 'store'>,
  actors: readonly Actor[],
  now: Instant,
): AsyncGenerator<readonly CheckView[]> {
  for (const actor of actors) {
    for await (const ids of readPages((after) => deps.store.overview.listConcerns(actor.project.id, now, after))) {
      for await (const checks of findChecks(deps, actor, ids)) {
        const advice = await findShownAdvice(
          deps,
          checks.map(({ check }) => check.id),
          now,
        )
        const views = await viewChecks(deps, checks, now, advice)
        yield views.filter(isConcern)
      }
    }
  }
}

/** Whether somebody has to look at the check, because of its state or of the run that goes on. */
export function isConcern({ state, isSlow }: Pick<ShownCheck, 'state' | 'isSlow'>): boolean {
  return state === 'down' || state === 'late' || isSlow
}

/** How many checks of a project nobody would hear of, by what is wrong. */
export interface Unheard {
  readonly advice: Readonly<Record<Doubt, number>>
  /** of those that are neither down, late nor slow */
  readonly checks: number
  /** what these would count as otherwise */
  readonly wouldBe: Readonly<Record<Resting, number>>
  /** true: there may be more */
  readonly isCut: boolean
}

/** A check that is neither down, late nor slow: as expected, paused, not pinged yet, or resumed and not pinged since. */
type Resting = 'expected' | 'paused' | 'unpinged' | 'resumed'

/** Number of checks after which the rest is not read. */
const LOOKED_AT = 500

/** @param advice of the project */
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

/** Null for one that is down, late or slow. */
function restingOf(check: Check, now: Instant): Resting | null {
  const shown = showCheck(check, now)
  if (isConcern(shown)) return null
  const { state } = shown
  if (state === 'paused') return 'paused'
  if (check.status === 'up') return 'expected'
  return check.nEvents === 0 ? 'unpinged' : 'resumed'
}

export interface Recovery extends CheckView {
  /** when it recovered */
  readonly at: Instant
  /** of the flip */
  readonly flipN: number
  /** null when that is not known any more */
  readonly downSince: Instant | null
}

/**
 * The checks that recovered since an instant and are not down again, last recovery first, page by page. Each check
 * comes once, with its last recovery. A page may be empty. The caller stops when there are enough.
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
  // One may have been transferred since the recoveries were read.
  const views = await viewChecks(
    deps,
    found.filter(({ check }) => projects.has(check.projectId)),
    now,
    // What is said of a check that came back is who was told, not who would be.
    NO_ADVICE,
  )
  const byId = new Map(views.map((view) => [view.check.id, view]))
  return recovered.flatMap(({ checkId, n, at, downSince }) => {
    const view = byId.get(checkId)
    return view === undefined || view.state === 'down' ? [] : { ...view, at, flipN: n, downSince }
  })
}
