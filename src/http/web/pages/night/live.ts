/**
 * Live updates for the current night or the last 24 hours. Each update contains the entire night. Updates are sent at most once a minute,
 * because a chart that moves more often would be hard to read.
 */
import { contextOf } from '../../context.ts'
import { type LiveView, partial, partials } from '../../live/view.ts'
import type { PageDeps } from '../../page.ts'
import type { AccountVisit } from '../../route.ts'
import { nightBody } from './page.ts'
import { readNightQuery } from './query.ts'
import { readShownNight } from './shown-night.ts'

const PAUSE_MS = 60_000

/** Returns the live view for the current night or the last 24 hours. */
export function nightView(deps: PageDeps, visit: AccountVisit, view: 'night' | '24h'): LiveView {
  const { person, account } = visit
  const renderAll = async () => {
    const context = contextOf(deps, visit)
    const query = readNightQuery(new URLSearchParams({ view }), context.now.epochMilliseconds, account.tz)
    const shown = await readShownNight(deps, visit, query, context)
    const body = await deps.eventLoop.step(async () => nightBody(shown, context))
    return partials([partial('#night', 'outerMorph', body)])
  }
  return {
    key: `night ${view} ${person.accountId} ${account.tz}`,
    wants: ({ touched, removed }) => touched.size > 0 || removed.length > 0,
    render: renderAll,
    renderAll,
    pauseMs: PAUSE_MS,
  }
}
