/** The page that waits for the first ping of a project. */
import type { LiveView } from './view.ts'
import { RELOAD } from './view.ts'

/** @param checkId null: there is no check to wait for */
export function firstPingView(checkId: string | null, isPinged: () => Promise<boolean>): LiveView {
  const render = async () => ((await isPinged()) ? [RELOAD] : [])
  return {
    key: `first-ping ${checkId}`,
    wants: ({ touched }) => checkId !== null && touched.has(checkId),
    render,
    renderAll: render,
  }
}
