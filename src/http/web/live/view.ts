/**
 * Live updates for open pages. A page provides a `LiveView`, which the page's stream calls. A live part has an `id`, and the same function
 * renders it for the page and for updates. The `Page` registers its view, and the page's content names the stream in `live` (`route.ts`).
 * `services/live/` reports the changes.
 */
import type { ProjectUpdate } from '../../../services/common/ports/live.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import type { ServerEvent } from '../route.ts'

export interface LiveView {
  /** Identifies the content. For all readers with the same key, an update's events are rendered only once. */
  readonly key: string
  /** Returns whether an update may change the page. Other updates are not queued for this reader. */
  readonly wants: (update: ProjectUpdate) => boolean
  /** Returns the events for an update; empty if nothing on the page changes. */
  readonly render: (update: ProjectUpdate) => Promise<readonly ServerEvent[]>
  /**
   * Returns the page's current content. The stream sends it first, and again if the reader was too slow. Null if the page's content
   * would be too long. The URL of such a page's stream contains the last state that the page showed, and the stream sends only later
   * changes.
   */
  readonly renderAll: (() => Promise<readonly ServerEvent[]>) | null
  /** Returns events for numbers that grow over time, such as ages; empty if there are none at the moment. */
  readonly renderAged?: () => Promise<readonly ServerEvent[]>
  /** minimum time between two messages, in milliseconds; by default, the hub's value */
  readonly pauseMs?: number
}

/**
 * Renders a part that htmx inserts at the target.
 * @param target a CSS selector; if nothing on the page matches, htmx ignores the part
 */
export function partial(target: string, swap: 'outerMorph' | 'innerMorph' | 'afterbegin', content: HtmlValue): Html {
  return html`<hx-partial hx-target="${target}" hx-swap="${swap}">${content}</hx-partial>`
}

/** Returns one message that contains all parts; empty if there are no parts. */
export function partials(parts: readonly Html[]): readonly ServerEvent[] {
  return parts.length === 0 ? [] : [{ data: parts.map(({ text }) => text).join('') }]
}

export function jsonEvent(event: string, value: unknown): ServerEvent {
  return { event, data: JSON.stringify(value) }
}

/**
 * The event that reloads the page. It is sent if the server cannot tell which changes the page missed, or if the object that the page
 * shows no longer exists.
 */
export const RELOAD: ServerEvent = { event: 'reload', data: '' }

/** The event that reloads a page because the reader's rights have changed since it was built. */
export const RELOAD_FOR_RIGHTS: ServerEvent = { event: 'reload', data: 'rights' }
