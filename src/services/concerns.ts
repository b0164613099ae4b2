/** What is wrong, and what came back, over several projects. */

import type { Actor } from '../domain/actor.ts'
import { inBatches } from '../lib/batches.ts'
import { type Instant, Temporal } from '../lib/time.ts'
import type { RecoveredCheck } from '../store/store.ts'
import { type CheckView, viewChecks } from './check-views.ts'
import { FOUND_AT_ONCE, findChecks } from './checks.ts'
import type { Deps } from './deps.ts'
import { readPages } from './pages.ts'

/**
 * The checks that are down or late, page by page: project after project, in order of creation. A page may be empty.
 * @param actors somebody in each of the projects that they may see
 */
export async function* listConcerns(
  deps: Pick<Deps, 'store'>,
  actors: readonly Actor[],
  now: Instant,
): AsyncGenerator<readonly CheckView[]> {
  for (const actor of actors) {
    for await (const ids of readPages((after) => deps.store.listConcerns(actor.project.id, now, after))) {
      for await (const checks of findChecks(deps, actor, ids)) {
        const views = await viewChecks(deps, checks, now)
        yield views.filter(({ state }) => state === 'down' || state === 'late')
      }
    }
  }
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
    for await (const page of readPages((after) => deps.store.listRecoveries(projectId, since, after))) {
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
  const found = await deps.store.findChecks(recovered.map(({ checkId }) => checkId))
  // One may have been transferred since the recoveries were read.
  const views = await viewChecks(
    deps,
    found.filter(({ check }) => projects.has(check.projectId)),
    now,
  )
  const byId = new Map(views.map((view) => [view.check.id, view]))
  return recovered.flatMap(({ checkId, n, at, downSince }) => {
    const view = byId.get(checkId)
    return view === undefined || view.state === 'down' ? [] : { ...view, at, flipN: n, downSince }
  })
}
