/** Live updates for a wall display. A change may affect the order of all checks, so each update contains entire sections. */
import type { PersonActor } from '../../../../domain/actor.ts'
import { type LiveView, partial, partials } from '../../live/view.ts'
import type { PageDeps } from '../../page.ts'
import { wallSections } from './sections.ts'

const PAUSE_MS = 1_000
/** Maximum share of time to spend rereading a wall display's projects, regardless of their size. */
const READ_SHARE = 0.05

/** @param tz IANA name of the time zone in the reader's account */
export function wallView(deps: PageDeps, actors: readonly PersonActor[], tz: string): LiveView {
  let pauseMs = PAUSE_MS
  const renderAll = async () => {
    const beganAt = deps.stopwatch()
    const sections = await wallSections(deps, actors, tz, true)
    pauseMs = Math.max(PAUSE_MS, ((deps.stopwatch() - beganAt) * 1_000) / READ_SHARE)
    return partials(sections.map(({ id, section }) => partial(`#${id}`, 'outerMorph', section)))
  }
  return {
    key: `wall ${actors.map(({ project }) => project.id).join(' ')} ${tz}`,
    wants: ({ touched, removed, counts }) => touched.size > 0 || removed.length > 0 || counts !== null,
    render: renderAll,
    renderAll,
    get pauseMs() {
      return pauseMs
    },
  }
}
