/** Live updates for a wall display. A change can affect the order of all checks, so each update replaces entire sections. */
import type { PersonActor } from '../../../../domain/actor.ts'
import { type LiveView, partial, partials } from '../../live/view.ts'
import type { PageDeps } from '../../page.ts'
import { wallSections } from './sections.ts'

const PAUSE_MS = 1_000
/** Maximum fraction of time spent rereading the projects on a wall display, however large they are. */
const READ_SHARE = 0.05

/** @param tz IANA time zone from the reader's account settings */
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
