/**
 * Live updates for an incident's page. The page is short, so each update contains the entire page. Updates preserve any text that the
 * reader is typing.
 */
import { may } from '../../../../../domain/actor.ts'
import { Refusal } from '../../../../../domain/errors.ts'
import { type LiveView, partial, partials, RELOAD } from '../../../live/view.ts'
import type { PageDeps } from '../../../page.ts'
import type { ProjectVisit, ServerEvent } from '../../../route.ts'
import { readIncidentName } from '../query.ts'
import { incidentParts } from './page.ts'
import { incidentData } from './routes.ts'

/** Minimum time between updates, in milliseconds. Reading all of the page's data takes a few milliseconds. */
const PAUSE_MS = 1_000

/** @throws Refusal `not-found` */
export async function incidentView(deps: PageDeps, visit: ProjectVisit): Promise<LiveView> {
  const { actor, account, url } = visit
  const text = url.searchParams.get('incident') ?? ''
  const name = readIncidentName(text)
  if (name === null) throw new Refusal('not-found', 'not found')
  const { page } = await incidentData(deps, visit, name)
  const { id, publicId } = page.view.check
  const renderAll = async (): Promise<readonly ServerEvent[]> => {
    try {
      const parts = incidentParts(await incidentData(deps, visit, name))
      return partials(Object.entries(parts).map(([part, content]) => partial(`#${part}`, 'outerMorph', content)))
    } catch (error) {
      // The check was deleted, or its log was cleared, after the page was opened.
      if (error instanceof Refusal && error.code === 'not-found') return [RELOAD]
      throw error
    }
  }
  return {
    // The user who has taken the incident sees different buttons than other users.
    key: `incident ${text} ${account.tz} ${may(actor, 'write') ? account.id : ''}`,
    wants: ({ touched, hasAlertNews, removed }) => touched.has(id) || hasAlertNews || removed.includes(publicId),
    render: renderAll,
    renderAll,
    pauseMs: PAUSE_MS,
  }
}
