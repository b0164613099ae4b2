/** The style sheets. They are imported as text, so that an executable contains them. */

import { PAGES } from '../pages/index.ts'
import status from '../pages/public-status/status.css' with { type: 'text' }
import reference from '../pages/reference/reference.css' with { type: 'text' }
import wall from '../pages/wall/wall.css' with { type: 'text' }
import base from './base.css' with { type: 'text' }
import buttons from './buttons.css' with { type: 'text' }
import forms from './forms.css' with { type: 'text' }
import gate from './gate.css' with { type: 'text' }
import layout from './layout.css' with { type: 'text' }
import lists from './lists.css' with { type: 'text' }
import live from './live.css' with { type: 'text' }
import messages from './messages.css' with { type: 'text' }
import narrow from './narrow.css' with { type: 'text' }
import rhythm from './rhythm.css' with { type: 'text' }
import states from './states.css' with { type: 'text' }

const COMMENT = /\/\*[\s\S]*?\*\//g
const SPACE = /\s+/g

/** The style sheet for all pages. Its first file defines the order of the layers. */
export const STYLE = small(
  [
    ...[base, layout, states, buttons, forms, lists, messages],
    rhythm,
    ...PAGES.flatMap(({ styles = [] }) => styles),
    ...[narrow, gate, live],
    ...PAGES.flatMap(({ lastStyles = [] }) => lastStyles),
  ].join(''),
)

/** Additional style sheet for the API reference and the documents. */
export const REFERENCE_STYLE = small(reference)

/** Additional style sheet for public status pages. */
export const STATUS_STYLE = small(status)

/** Additional style sheet for wall displays. */
export const WALL_STYLE = small(wall)

/** Removes comments and unnecessary spaces. */
function small(text: string): string {
  return text.replace(COMMENT, '').replace(SPACE, ' ').trim()
}
