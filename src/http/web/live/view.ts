/**
 * Live updates of open pages. A page provides a `LiveView`, and the stream of the page calls it. A live part has an `id`; the same function
 * renders it for the page and for updates. The `Page` registers its view, and the content of the page names the stream in `live`
 * (`route.ts`). `services/live/` reports the changes.
 */
import type { ProjectUpdate } from '../../../services/common/ports/live.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import type { ServerEvent } from '../route.ts'

export interface LiveView {
  /** Identifies the content. The events of an update are rendered only once for all readers with the same key. */
  readonly key: string
  /** Whether an update may change the page. Other updates are not queued for the reader. */
  readonly wants: (update: ProjectUpdate) => boolean
  /** Returns the events for an update; empty if nothing on the page changes. */
  readonly render: (update: ProjectUpdate) => Promise<readonly ServerEvent[]>
  /**
   * Returns the current content of the page. It is sent first, and to a reader that was too slow. Null for a page that would be too long.
   * The address of its stream then contains the last state that it showed, and it gets only the changes since then.
   */
  readonly renderAll: (() => Promise<readonly ServerEvent[]>) | null
  /** Returns events for numbers that grow with time, such as ages; empty if there are none at the moment. */
  readonly renderAged?: () => Promise<readonly ServerEvent[]>
  /** minimum time between two messages in milliseconds; the hub's value by default */
  readonly pauseMs?: number
}

/**
 * Returns a part of a page that htmx inserts at the target.
 * @param target a CSS selector; if nothing on the page matches, htmx ignores the part
 */
export function partial(target: string, swap: 'outerMorph' | 'innerMorph' | 'afterbegin', content: HtmlValue): Html {
  return html`<hx-partial hx-target="${target}" hx-swap="${swap}">${content}</hx-partial>`
}

/** Returns a single message with all parts; empty if there are no parts. */
export function partials(parts: readonly Html[]): readonly ServerEvent[] {
  return parts.length === 0 ? [] : [{ data: parts.map(({ text }) => text).join('') }]
}

export function jsonEvent(event: string, value: unknown): ServerEvent {
  return { event, data: JSON.stringify(value) }
}

/** The event that reloads the page. It is sent if missed changes are unknown, or if the subject of the page no longer exists. */
export const RELOAD: ServerEvent = { event: 'reload', data: '' }

/** The event that reloads a page because the reader's rights have changed since it was built. */
export const RELOAD_FOR_RIGHTS: ServerEvent = { event: 'reload', data: 'rights' }
