/**
 * Live updates for the list of integrations: their states and whether their alerts were delivered. Each update contains the entire list.
 */
import { readChannelList } from '../../../../services/channels/channel-list.ts'
import { type LiveView, partial, partials } from '../../live/view.ts'
import type { PageDeps } from '../../page.ts'
import { readOffset } from '../../parts/forms/offset.ts'
import type { ProjectVisit } from '../../route.ts'
import { integrationsContext } from './context.ts'
import { listParts } from './list.ts'

/** Minimum time between updates, in milliseconds. Reading the activity of all integrations takes a few milliseconds. */
const PAUSE_MS = 2_000

export function integrationsView(deps: PageDeps, visit: ProjectVisit): LiveView {
  const from = readOffset(visit.url.searchParams)
  const renderAll = async () => {
    const context = integrationsContext(deps, visit)
    const list = await readChannelList(deps, visit.actor, from)
    return partials(Object.entries(listParts(list, context)).map(([id, part]) => partial(`#${id}`, 'outerMorph', part)))
  }
  const { canWrite, isAdministrator, tz } = integrationsContext(deps, visit)
  return {
    key: `integrations ${from} ${tz} ${canWrite} ${isAdministrator}`,
    // Alerts are sent when a check goes down or recovers.
    wants: ({ hasAlertNews, checks, removed }) =>
      hasAlertNews || removed.length > 0 || checks.some(({ state, was }) => state !== was),
    render: renderAll,
    renderAll,
    pauseMs: PAUSE_MS,
  }
}
