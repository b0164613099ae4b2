/** The strip of the last runs of one check, drawn by the server. Long lists send letters instead, and the script draws them. */
import { STRIP_HEIGHT, STRIP_WIDTH, stripPaths } from '../browser/strip-paths.ts'
import { type Html, html } from '../html.ts'
import { counted } from './words/text.ts'

/** @param letters see `stripPaths` @param words description, such as `2 missing, 1 failed` */
export function strip(letters: string, words: string): Html {
  return labelledStrip(
    letters,
    letters === '' ? 'No runs yet' : `Last ${counted(letters.length, 'run', 'runs')}: ${words}`,
  )
}

/** @param letters see `stripPaths` @param label description in words */
export function labelledStrip(letters: string, label: string): Html {
  const paths = stripPaths(letters).map(([look, path]) => html`<path class="${look}" d="${path}"/>`)
  return html`<svg class="strip" viewBox="0 0 ${STRIP_WIDTH} ${STRIP_HEIGHT}" role="img" aria-label="${label}">${paths}</svg>`
}
