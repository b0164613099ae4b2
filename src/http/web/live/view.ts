/**
 * How open pages show what changes. A page gives its `LiveView`; the stream of the page calls it.
 *
 * What is live is a part with an `id`, made by a function that the page uses too. The `Page` names its view, and the
 * page names the stream as `live` of its content (`route.ts`). What changes is told by `services/live/`.
 */
import type { ProjectUpdate } from '../../../services/common/ports/live.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import type { ServerEvent } from '../route.ts'

export interface LiveView {
  /** Readers with the same key see the same: what an update becomes is made once for all of them. */
  readonly key: string
  /** Which updates change the page; the others don't wait for the reader. */
  readonly wants: (update: ProjectUpdate) => boolean
  /** What an update becomes; empty when nothing on the page changes. */
  readonly render: (update: ProjectUpdate) => Promise<readonly ServerEvent[]>
  /**
   * All that the page shows, as it is now: sent first, and to a reader that was too slow. Null for a page that would be too long:
   * its address says what it has seen, and it is told what it has missed.
   */
  readonly renderAll: (() => Promise<readonly ServerEvent[]>) | null
  /** The figures that grow while nothing happens, as they are now; empty when none does. */
  readonly renderAged?: () => Promise<readonly ServerEvent[]>
  /** least time between two messages, in milliseconds; by default that of the hub */
  readonly pauseMs?: number
}

/**
 * A part of a page for htmx, which puts it in its place.
 * @param target a CSS selector; a part whose target is not on the page is left out
 */
export function partial(target: string, swap: 'outerMorph' | 'innerMorph' | 'afterbegin', content: HtmlValue): Html {
  return html`<hx-partial hx-target="${target}" hx-swap="${swap}">${content}</hx-partial>`
}

/** One message with all parts; none without parts. */
export function partials(parts: readonly Html[]): readonly ServerEvent[] {
  return parts.length === 0 ? [] : [{ data: parts.map(({ text }) => text).join('') }]
}

export function jsonEvent(event: string, value: unknown): ServerEvent {
  return { event, data: JSON.stringify(value) }
}

/** Nobody can say what the reader has missed, or what it shows is no more: it loads the page again. */
export const RELOAD: ServerEvent = { event: 'reload', data: '' }

/** The page was made for somebody who might do more or less than its reader may now. */
export const RELOAD_FOR_RIGHTS: ServerEvent = { event: 'reload', data: 'rights' }
