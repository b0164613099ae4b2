/** Live updates for a check's page. The page is short, so each update contains the entire page. */
import { may } from '../../../../domain/actor.ts'
import { type ShownState, showCheck } from '../../../../domain/check/shown-check.ts'
import { getCheckByPublicId } from '../../../../services/checks/checks.ts'
import { readCheckPage } from '../../../../services/overview/check-page.ts'
import type { Html } from '../../html.ts'
import { type LiveView, partial, partials, RELOAD } from '../../live/view.ts'
import type { PageDeps } from '../../page.ts'
import type { ProjectVisit } from '../../route.ts'
import { actionButtons } from './actions.ts'
import { checkContext } from './context.ts'
import { chartQuery, readChartView, rhythmOf } from './rhythm/chart-view.ts'
import { changingSections } from './sections.ts'

/** States in which the page shows a duration that keeps growing, such as how long the check has been down. */
const GROWING: ReadonlySet<ShownState> = new Set(['late', 'down', 'started'])

/** Minimum time between updates, in milliseconds. Reading all of the page's data takes a few milliseconds. */
const PAUSE_MS = 1_000

/** @throws Refusal `not-found` */
export async function checkView(deps: PageDeps, visit: ProjectVisit): Promise<LiveView> {
  const { actor, account, url } = visit
  const publicId = url.searchParams.get('check') ?? ''
  const { tz } = account
  const { check } = await getCheckByPublicId(deps, actor, publicId)
  const canWrite = may(actor, 'write')
  const chart = readChartView(url.searchParams)
  const read = async () => {
    const page = await readCheckPage(deps, actor, publicId, tz, rhythmOf(chart))
    return { page, context: checkContext(visit, page.now, publicId) }
  }
  const renderAll = async () => {
    const { page, context } = await read()
    const parts = partsOf(changingSections(page, context))
    const buttons = actionButtons(page.view.check, context)
    return partials(canWrite ? [...parts, partial('#main > .head > .acts', 'innerMorph', buttons)] : parts)
  }
  return {
    key: `check ${publicId} ${tz} ${canWrite} ${chartQuery(chart)}`,
    wants: ({ touched }) => touched.has(check.id),
    render: async ({ removed }) => (removed.includes(publicId) ? [RELOAD] : renderAll()),
    renderAll,
    async renderAged() {
      const { check: current } = await getCheckByPublicId(deps, actor, publicId)
      if (!GROWING.has(showCheck(current, deps.now()).state)) return []
      const { page, context } = await read()
      const { now, chart, runs, days } = changingSections(page, context)
      return partials(partsOf({ now, chart, runs, days }))
    },
    pauseMs: PAUSE_MS,
  }
}

function partsOf(sections: Readonly<Record<string, Html>>): readonly Html[] {
  return Object.entries(sections).map(([id, section]) => partial(`#${id}`, 'outerMorph', section))
}
