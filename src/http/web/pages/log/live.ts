/** Live updates for a check's log, with or without a ping opened next to it. The list is filtered by the URL's parameters. */
import { may } from '../../../../domain/actor.ts'
import { getCheckByPublicId } from '../../../../services/checks/checks.ts'
import { readLog } from '../../../../services/pings/log.ts'
import { readTimeline } from '../../../../services/pings/timeline.ts'
import { checkPath } from '../../href.ts'
import { html } from '../../html.ts'
import { type LiveView, partial, partials, RELOAD } from '../../live/view.ts'
import type { PageDeps } from '../../page.ts'
import type { ProjectVisit } from '../../route.ts'
import { keptPart, logList } from './log-page.ts'
import { alertsPart } from './opened.ts'
import { readQuery, searchOf } from './query.ts'
import { logData, toldBecauseOf } from './routes.ts'

/** Minimum time between updates, in milliseconds. Each update reads the entire log. */
const PAUSE_MS = 2_000

/** @throws Refusal `not-found` */
export async function logView(deps: PageDeps, visit: ProjectVisit): Promise<LiveView> {
  const { actor, account, site, url } = visit
  const { searchParams } = url
  const publicId = searchParams.get('check') ?? ''
  const opened = openedIn(searchParams)
  const { check: before } = await getCheckByPublicId(deps, actor, publicId)
  const wasEmpty = (await readLog(deps, actor, before, { limit: 1 })).entries.length === 0
  const query = readQuery(searchParams)
  const renderAll = async () => {
    const { check } = await getCheckByPublicId(deps, actor, publicId)
    const timeline = await readTimeline(deps, actor, check, query.kinds.includes('missing'))
    const data = await logData(deps, visit, { check, timeline, query, n: opened })
    if (data.count.kept === 0) return []
    // If the page has shown no events so far, reload it, because it has no list to update.
    if (wasEmpty) return [RELOAD]
    const open = opened === null ? null : { n: opened, title: '', panel: html`` }
    const list = logList({ ...data, opened: open }, site.href(checkPath(actor.project.slug, publicId, 'log')))
    const told = opened === null ? null : await toldBecauseOf(deps, actor, timeline, opened)
    return partials([
      partial('#log-list', 'outerMorph', list),
      partial('#log-kept', 'outerMorph', keptPart(data)),
      ...(told === null ? [] : [partial('#ping-alerts', 'outerMorph', alertsPart(told))]),
    ])
  }
  return {
    key: `log ${publicId} ${account.tz} ${may(actor, 'write')} ${opened} ${searchOf(query)}`,
    wants: ({ touched }) => touched.has(before.id),
    render: async ({ removed }) => (removed.includes(publicId) ? [RELOAD] : renderAll()),
    renderAll,
    pauseMs: PAUSE_MS,
  }
}

/** @returns the opened ping's number; null if none is open */
function openedIn(parameters: URLSearchParams): number | null {
  const opened = parameters.get('opened') ?? ''
  return /^\d{1,15}$/.test(opened) ? Number(opened) : null
}
