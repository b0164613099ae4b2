/** Live updates for the first-ping page. */
import type { Actor } from '../../../../domain/actor.ts'
import { findFirstCheck } from '../../../../services/checks/first-ping.ts'
import { type LiveView, RELOAD } from '../../live/view.ts'
import type { PageDeps } from '../../page.ts'

/** @throws Refusal `read-only` */
export async function firstPingView(deps: PageDeps, actor: Actor): Promise<LiveView> {
  const waiting = (await findFirstCheck(deps, actor))?.check ?? null
  const hasCome = async () => {
    const first = (await findFirstCheck(deps, actor))?.check
    return first === undefined || first.id !== waiting?.id || first.nPings > 0
  }
  const render = async () => ((await hasCome()) ? [RELOAD] : [])
  return {
    key: `first-ping ${waiting?.id}`,
    wants: ({ touched, removed }) =>
      waiting !== null && (touched.has(waiting.id) || removed.includes(waiting.publicId)),
    render,
    renderAll: render,
  }
}
