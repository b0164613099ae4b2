/**
 * Live updates of open pages. A page provides its `LiveView`; the stream of the page calls it.
 *
 * A live part has an `id`, and the same function renders it for the page and for updates. The `Page` names its view, and the page names the
 * stream as `live` of its content (`route.ts`). `services/live/` reports the changes.
 */
import type { ProjectUpdate } from '../../../services/common/ports/live.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import type { ServerEvent } from '../route.ts'

export interface LiveView {
  /** Identifies the content: the events of an update are rendered once for all readers with the same key. */
  readonly key: string
  /** Whether an update changes the page. Other updates don't wait for the reader. */
  readonly wants: (update: ProjectUpdate) => boolean
  /** Returns the events of an update; none if nothing on the page changes. */
  readonly render: (update: ProjectUpdate) => Promise<readonly ServerEvent[]>
  /**
   * Returns the current content of the page: sent first, and to a reader that was too slow. Null for a page that would be too long: its
   * address contains the last state that it has shown, and it gets the changes since then.
   */
  readonly renderAll: (() => Promise<readonly ServerEvent[]>) | null
  /** Returns events for the figures that grow with time alone; none if there are no such figures now. */
  readonly renderAged?: () => Promise<readonly ServerEvent[]>
  /** least time between two messages, in milliseconds; the hub's by default */
  readonly pauseMs?: number
}

/**
 * Returns a part of a page for htmx, which puts it in its place.
 * @param target a CSS selector; a part whose target is not on the page is left out
 */
export function partial(target: string, swap: 'outerMorph' | 'innerMorph' | 'afterbegin', content: HtmlValue): Html {
  return html`<hx-partial hx-target="${target}" hx-swap="${swap}">${content}</hx-partial>`
}

/** Returns one message with all parts; none without parts. */
export function partials(parts: readonly Html[]): readonly ServerEvent[] {
  return parts.length === 0 ? [] : [{ data: parts.map(({ text }) => text).join('') }]
}

export function jsonEvent(event: string, value: unknown): ServerEvent {
  return { event, data: JSON.stringify(value) }
}

/** The event that reloads the page, because the missed changes are unknown, or the subject of the page no longer exists. */
export const RELOAD: ServerEvent = { event: 'reload', data: '' }

/** The event that reloads a page that was built for other rights than its reader has now. */
export const RELOAD_FOR_RIGHTS: ServerEvent = { event: 'reload', data: 'rights' }
