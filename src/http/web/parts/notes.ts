/** A note at the top of a page or a form, such as a warning, or the reason why nothing happened. */
import type { ShownState } from '../../../domain/check/shown-check.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { icon } from './icons.ts'
import { stateShape } from './words/states.ts'

type NoteLook = 'plain' | Extract<ShownState, 'up' | 'late' | 'down'>

/** @param acts buttons next to the text */
export function note(look: NoteLook, body: HtmlValue, acts: HtmlValue = null): Html {
  const shape = look === 'plain' ? icon('clock') : stateShape(look)
  return html`<div class="${look === 'plain' ? 'note' : `note ${look}`}">${shape}<p>${body}</p>${acts}</div>`
}

/** Renders a {@link note} about a problem with a form. Screen readers announce it immediately. */
export function alertNote(body: HtmlValue): Html {
  return html`<div class="note down" role="alert">${stateShape('down')}<p>${body}</p></div>`
}
