/** The log of a check: the list as its address asks for it, also beside a ping that is open. */
import { may } from '../../../../domain/actor.ts'
import { getCheckByPublicId } from '../../../../services/checks/checks.ts'
import type { Deps } from '../../../../services/common/deps.ts'
import { readLog } from '../../../../services/pings/log.ts'
import { readTimeline } from '../../../../services/pings/timeline.ts'
import { checkPath } from '../../href.ts'
import { html } from '../../html.ts'
import { type LiveView, partial, partials, RELOAD } from '../../live/view.ts'
import type { CheckReader } from '../check/live.ts'
import { keptPart, logList } from './log-page.ts'
import { alertsPart } from './opened.ts'
import { readQuery, searchOf } from './query.ts'
import { logData, toldBecauseOf } from './routes.ts'

/** It reads the whole log. */
const PAUSE_MS = 2_000

interface LogPlace {
  readonly publicId: string
  /** the query of the page */
  readonly parameters: URLSearchParams
  /** of the ping that is open */
  readonly opened: number | null
}

/** @throws Refusal `not-found` */
export async function logView(
  deps: Pick<Deps, 'store' | 'now' | 'eventLoop'>,
  reader: CheckReader,
  { publicId, parameters, opened }: LogPlace,
): Promise<LiveView> {
  const { actor, tz, href } = reader
  const { check: before } = await getCheckByPublicId(deps, actor, publicId)
  const wasEmpty = (await readLog(deps, actor, before, { limit: 1 })).entries.length === 0
  const query = readQuery(parameters)
  const renderAll = async () => {
    const { check } = await getCheckByPublicId(deps, actor, publicId)
    const timeline = await readTimeline(deps, actor, check, query.kinds.includes('missing'))
    const data = await logData(deps, { actor, tz, href, now: deps.now() }, { check, timeline, query, n: opened })
    if (data.count.kept === 0) return []
    // A page without events has no list.
    if (wasEmpty) return [RELOAD]
    const open = opened === null ? null : { n: opened, title: '', panel: html`` }
    const list = logList({ ...data, opened: open }, href(checkPath(actor.project.slug, publicId, 'log')))
    const told = opened === null ? null : await toldBecauseOf(deps, actor, timeline, opened)
    return partials([
      partial('#log-list', 'outerMorph', list),
      partial('#log-kept', 'outerMorph', keptPart(data)),
      ...(told === null ? [] : [partial('#ping-alerts', 'outerMorph', alertsPart(told))]),
    ])
  }
  return {
    key: `log ${publicId} ${tz} ${may(actor, 'write')} ${opened} ${searchOf(query)}`,
    wants: ({ touched }) => touched.has(before.id),
    render: async ({ removed }) => (removed.includes(publicId) ? [RELOAD] : renderAll()),
    renderAll,
    pauseMs: PAUSE_MS,
  }
}
