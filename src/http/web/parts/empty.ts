/** The text for an empty list, and the next step. */
import { type Html, type HtmlValue, html } from '../html.ts'

interface Empty {
  readonly title: string
  /** explanation in one sentence */
  readonly text: HtmlValue
  /** one or two buttons for the next step */
  readonly actions?: HtmlValue
}

/**
 * Renders the empty list for a project without checks.
 * @param actions button that creates the first check; null for users with read-only access
 */
export function noChecks(actions: Html | null): Html {
  return empty({
    title: 'No checks yet',
    text: 'A check expects pings from one of your jobs, and alerts you when a ping does not arrive.',
    ...(actions === null ? {} : { actions }),
  })
}

/** Renders an empty list's text, below a decorative strip of runs. */
export function empty({ title, text, actions }: Empty): Html {
  return html`<div class="empty"><svg class="strip" viewBox="0 0 36 24" aria-hidden="true"><path class="ok" d="M2 19v-7M6 19v-10M10 19v-16M14 19v-7M18 19v-10M22 19v-14M26 19v-12M30 19v-6"/><path class="ms" d="M32.5 19v-8h2v8z"/></svg><h2>${title}</h2><p>${text}</p>${actions !== undefined && html`<div class="acts">${actions}</div>`}</div>`
}
