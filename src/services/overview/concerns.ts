/** What is wrong, and what came back, over several projects. */

import type { Actor } from '../../domain/actor.ts'
import { NO_MUTE_CHANNELS } from '../../domain/channel/mute.ts'
import { showCheck } from '../../domain/check/shown.ts'
import { type AdviceKind, advise } from '../../domain/hints/advice.ts'
import { StandingTally } from '../../domain/list/check-list.ts'
import { type Instant, Temporal } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { PageMark, RecoveredCheck } from '../../store/store.ts'
import { type MuteDeps, readMuteChannels } from '../channels/mute-channels.ts'
import { type CheckView, viewChecks } from '../checks/check-views.ts'
import { FOUND_AT_ONCE, findChecks } from '../checks/checks.ts'
import type { Deps } from '../common/deps.ts'
import { readPages } from '../common/pages.ts'

/**
 * The checks that are down, late or slow, page by page: project after project, in order of creation. A page may be empty.
 * @param actors somebody in each of the projects that they may see
 */
export async function* listConcerns(
  deps: MuteDeps,
  actors: readonly Actor[],
  now: Instant,
): AsyncGenerator<readonly CheckView[]> {
  for (const actor of actors) {
    const mute = await readMuteChannels(deps, actor, now)
    for await (const ids of readPages((after) => deps.store.overview.listConcerns(actor.project.id, now, after))) {
      for await (const checks of findChecks(deps, actor, ids)) {
        const views = await viewChecks(deps, checks, now, mute)
        yield views.filter(({ state, isSlow }) => state === 'down' || state === 'late' || isSlow)
      }
    }
  }
}

/** How many checks of a project nobody would hear of, by what is wrong. */
export interface Unheard {
  readonly advice: Readonly<Record<AdviceKind, number>>
  /** of those that are neither down nor late */
  readonly checks: number
  /** true: there may be more */
  readonly isCut: boolean
}

/** Of so many checks that may have advice, the rest is not read. */
const LOOKED_AT = 500

export async function countUnheard(deps: MuteDeps, actor: Actor, now: Instant): Promise<Unheard> {
  const mute = await readMuteChannels(deps, actor, now)
  const tally = new StandingTally()
  let lookedAt = 0
  const numbers = (isCut: boolean) => {
    const { advice, groups, states } = tally
    return { advice, checks: groups.needs - states.down - states.late, isCut }
  }
  const read = (after: PageMark | null) =>
    deps.store.overview.listAdvisable(actor.project.id, [...mute.keys()], now, after)
  for await (const ids of readPages(read)) {
    for await (const checks of findChecks(deps, actor, ids)) {
      for (const found of checks) {
        tally.count({ ...showCheck(found.check, now), advice: advise(found, mute, now) })
      }
      lookedAt += checks.length
      if (lookedAt >= LOOKED_AT) return numbers(true)
    }
  }
  return numbers(false)
}

export interface Recovery extends CheckView {
  /** when it came up */
  readonly at: Instant
  /** of the flip */
  readonly flipN: number
  /** null when that is not known any more */
  readonly downSince: Instant | null
}

/**
 * The checks that came up from down since an instant and are not down again, last recovery first, page by page. Each check
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
    NO_MUTE_CHANNELS,
  )
  const byId = new Map(views.map((view) => [view.check.id, view]))
  return recovered.flatMap(({ checkId, n, at, downSince }) => {
    const view = byId.get(checkId)
    return view === undefined || view.state === 'down' ? [] : { ...view, at, flipN: n, downSince }
  })
}
