/**
 * Live updates for the advice in a project, or in all projects that the reader may see. The page is short, so each update contains the
 * entire list.
 */
import { readAdviceList } from '../../../../services/advice/advice-list.ts'
import { readAdviceOfAll } from '../../../../services/advice/advice-of-all.ts'
import { contextOf } from '../../context.ts'
import { type LiveView, partial, partials } from '../../live/view.ts'
import type { PageDeps } from '../../page.ts'
import type { AccountVisit, ProjectVisit } from '../../route.ts'
import { allAdviceParts } from './all-page.ts'
import { adviceParts } from './page.ts'
import { readQuery } from './query.ts'
import { adviceContext } from './routes.ts'

/** Minimum time between updates, in milliseconds. Replaying a check's log takes a few milliseconds. */
const PAUSE_MS = 10_000
const PAUSE_OF_ALL_MS = 30_000

export function adviceView(deps: PageDeps, visit: ProjectVisit): LiveView {
  const { state } = readQuery(visit.url.searchParams)
  const { canWrite, tz } = adviceContext(deps, visit)
  const renderAll = async () => {
    const parts = adviceParts(await readAdviceList(deps, visit.actor), state, adviceContext(deps, visit))
    return partials(Object.entries(parts).map(([id, part]) => partial(`#${id}`, 'outerMorph', part)))
  }
  return {
    key: `advice ${state} ${tz} ${canWrite}`,
    wants: ({ removed, hasNewDoubts }) => hasNewDoubts || removed.length > 0,
    render: renderAll,
    renderAll,
    pauseMs: PAUSE_MS,
  }
}

export function allAdviceView(deps: PageDeps, visit: AccountVisit): LiveView {
  const { person, account, url } = visit
  const { state } = readQuery(url.searchParams)
  const renderAll = async () => {
    const parts = allAdviceParts(await readAdviceOfAll(deps, person), state, contextOf(deps, visit))
    return partials(Object.entries(parts).map(([id, part]) => partial(`#${id}`, 'outerMorph', part)))
  }
  return {
    key: `all advice ${state} ${person.accountId} ${account.tz}`,
    wants: ({ removed, hasNewDoubts }) => hasNewDoubts || removed.length > 0,
    render: renderAll,
    renderAll,
    pauseMs: PAUSE_OF_ALL_MS,
  }
}
