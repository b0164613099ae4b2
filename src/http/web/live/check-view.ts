/** The page of a check: how it is now, its runs, its newest log lines. It shows little, so it is sent whole. */
import { may, type PersonActor } from '../../../domain/actor.ts'
import { readCheckPage } from '../../../services/check-page.ts'
import { getCheckByPublicId } from '../../../services/checks.ts'
import type { MuteDeps } from '../../../services/mute-channels.ts'
import type { Href } from '../href.ts'
import { actionButtons } from '../pages/check/actions.ts'
import { checkContext } from '../pages/check/context.ts'
import { changingSections } from '../pages/check/sections.ts'
import { type LiveView, partial, partials, RELOAD } from './view.ts'

export interface CheckReader {
  readonly actor: PersonActor
  /** of the reader's account */
  readonly tz: string
  readonly href: Href
}

/** Reading all of it takes some milliseconds. */
const PAUSE_MS = 1_000

/** @throws Refusal `not-found` */
export async function checkView(deps: MuteDeps, { actor, tz, href }: CheckReader, publicId: string): Promise<LiveView> {
  const { check } = await getCheckByPublicId(deps, actor, publicId)
  const canWrite = may(actor, 'write')
  const renderAll = async () => {
    const page = await readCheckPage(deps, actor, publicId, tz)
    const context = checkContext({ now: page.now, tz, canWrite, href, slug: actor.project.slug }, publicId)
    const sections = Object.entries(changingSections(page, context))
    const parts = sections.map(([id, section]) => partial(`#${id}`, 'outerMorph', section))
    const buttons = actionButtons(page.view.check.status, context)
    return partials(canWrite ? [...parts, partial('#main > .head > .acts', 'innerMorph', buttons)] : parts)
  }
  return {
    key: `check ${publicId} ${tz} ${canWrite}`,
    wants: ({ touched }) => touched.has(check.id),
    render: async ({ removed }) => (removed.includes(publicId) ? [RELOAD] : renderAll()),
    renderAll,
    pauseMs: PAUSE_MS,
  }
}
