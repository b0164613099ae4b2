/** Live updates for the overview. It shows few checks, so each update contains the entire overview. */
import type { ShownState } from '../../../../domain/check/shown-check.ts'
import { readOverview } from '../../../../services/overview/overview.ts'
import { contextOf } from '../../context.ts'
import { type LiveView, partial, partials } from '../../live/view.ts'
import type { PageDeps } from '../../page.ts'
import type { AccountVisit } from '../../route.ts'
import { changingParts } from './page.ts'

/** Minimum time between updates, in milliseconds. The overview reads all projects that the reader may see. */
const PAUSE_MS = 2_000
/** Minimum time between updates if only the night has changed, in milliseconds. Every successful run changes the night. */
const NIGHT_PAUSE_MS = 60_000

export function wrongView(deps: PageDeps, visit: AccountVisit): LiveView {
  const { person, account } = visit
  let sentAt = deps.now().epochMilliseconds
  const renderAll = async () => {
    sentAt = deps.now().epochMilliseconds
    const overview = await readOverview(deps, person, account.tz, true)
    const parts = Object.entries(changingParts(overview, person, contextOf(deps, visit)))
    return partials(parts.map(([id, part]) => partial(`#${id}`, 'outerMorph', part)))
  }
  return {
    key: `wrong ${person.accountId} ${account.tz}`,
    // The cards for down and recovered checks also show which integrations were alerted.
    wants: ({ checks, touched, removed, hasAlertNews, hasNewDoubts }) =>
      hasAlertNews ||
      hasNewDoubts ||
      removed.length > 0 ||
      checks.some(({ state, was }) => counts(state) || counts(was)) ||
      (touched.size > 0 && deps.now().epochMilliseconds - sentAt >= NIGHT_PAUSE_MS),
    render: renderAll,
    renderAll,
    pauseMs: PAUSE_MS,
  }
}

/**
 * Returns whether the page counts checks in this state, which it does unless the check is as expected. The previous state of a new check is
 * null.
 */
function counts(state: ShownState | null): boolean {
  return state !== 'up' && state !== 'started'
}
