/** How pages show a check's state. Each state has an icon, a word and a color. */
import type { ShownState } from '../../../../domain/check/shown-check.ts'
import { Html, html } from '../../html.ts'

const LINE = 'fill="none" stroke="var(--on)" stroke-linecap="round"'

const SHAPES: Readonly<Record<ShownState, string>> = {
  new: '<circle cx="8" cy="8" r="6.4" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="2.4 2.6"/>',
  up: `<circle cx="8" cy="8" r="7" fill="currentColor"/><path d="m4.9 8.3 2.1 2.1 4.1-4.5" ${LINE} stroke-width="1.7" stroke-linejoin="round"/>`,
  started:
    '<circle class="spin" cx="8" cy="8" r="6.4" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="31 9.2" stroke-linecap="round"/><path d="M6.4 5.2v5.6L11 8z" fill="currentColor"/>',
  late: `<path d="M8 2 14.6 14H1.4z" fill="currentColor" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round"/><path d="M8 6.2v3.4M8 12v.1" ${LINE} stroke-width="1.7"/>`,
  down: `<rect x="1.2" y="1.2" width="13.6" height="13.6" rx="2.6" fill="currentColor"/><path d="m5.3 5.3 5.4 5.4m0-5.4-5.4 5.4" ${LINE} stroke-width="1.8"/>`,
  paused:
    '<rect x="3.2" y="2.2" width="3.4" height="11.6" rx="1" fill="currentColor"/><rect x="9.4" y="2.2" width="3.4" height="11.6" rx="1" fill="currentColor"/>',
}

export const STATE_WORDS: Readonly<Record<ShownState, string>> = {
  new: 'New',
  up: 'Up',
  started: 'Running',
  late: 'Late',
  down: 'Down',
  paused: 'Paused',
}

/** Renders only the icon, for use next to a sentence that contains the state. @param extra additional classes, such as `big` */
export function stateShape(state: ShownState, extra = ''): Html {
  const classes = extra === '' ? `st ${state}` : `st ${state} ${extra}`
  return html`<svg class="${classes}" viewBox="0 0 16 16" aria-hidden="true">${new Html(SHAPES[state])}</svg>`
}
