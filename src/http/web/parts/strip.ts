/**
 * The strip of a check's last runs, drawn by the server. For long lists, the server sends letters instead, and the script draws the strips.
 */
import { STRIP_HEIGHT, STRIP_WIDTH, stripPaths } from '../browser/strip-paths.ts'
import { type Html, html } from '../html.ts'
import { counted } from './words/text.ts'

/** @param letters the runs, see `stripPaths` @param words description, such as `2 missing, 1 failed` */
export function strip(letters: string, words: string): Html {
  return labelledStrip(
    letters,
    letters === '' ? 'No runs yet' : `Last ${counted(letters.length, 'run', 'runs')}: ${words}`,
  )
}

/** @param letters the runs, see `stripPaths` @param label text alternative */
export function labelledStrip(letters: string, label: string): Html {
  const paths = stripPaths(letters).map(([look, path]) => html`<path class="${look}" d="${path}"/>`)
  return html`<svg class="strip" viewBox="0 0 ${STRIP_WIDTH} ${STRIP_HEIGHT}" role="img" aria-label="${label}">${paths}</svg>`
}
