/**
 * A check's last runs as SVG paths, with the newest run on the right. The server draws the strips on single cards, and the script draws the
 * strips in long lists. A slot is 4 px wide, the strip is 24 px high, and the runs' baseline is at 19 px.
 */

const STRIP_SLOTS = 30
export const STRIP_WIDTH = 4 * STRIP_SLOTS
export const STRIP_HEIGHT = 24

/** CSS classes for the paths, one for each kind of run. */
type RunLook = 'ok' | 'lt' | 'fl' | 'ms' | 'rn' | 'ps'

const LOWEST = 2
const HALF = 8

/**
 * Returns a path for each kind of run that occurs.
 * @param letters a letter for each run, oldest first, at most 30. `a` to `p` are on-time runs, 1 to 16 px high, and `A` to `P` are late
 * runs. `0` is a missing run, `1` a failed run, `2` a running job, and `3` a pause. Other letters are not drawn
 */
export function stripPaths(letters: string): readonly (readonly [look: RunLook, path: string])[] {
  const paths = new Map<RunLook, string>()
  const first = STRIP_SLOTS - letters.length
  for (const [index, letter] of Array.from(letters).entries()) {
    const mark = markOf(letter, 2 + 4 * (first + index))
    if (mark !== null) paths.set(mark[0], (paths.get(mark[0]) ?? '') + mark[1])
  }
  return [...paths]
}

/** @param x center of the slot */
function markOf(letter: string, x: number): readonly [RunLook, string] | null {
  if (letter >= 'a' && letter <= 'p') return ['ok', `M${x} 19v-${heightOf(letter, 'a')}`]
  // A late run has a dot below the line.
  if (letter >= 'A' && letter <= 'P') return ['lt', `M${x} 19v-${heightOf(letter, 'A')}M${x} 21v3`]
  if (letter === '0') return ['ms', `M${x - 1.5} 23.5v-8h2v8z`]
  // A failed run is a line through the baseline.
  if (letter === '1') return ['fl', `M${x} 24v-20`]
  if (letter === '2') return ['rn', `M${x} 19v-${HALF}`]
  return letter === '3' ? ['ps', `M${x} 19v-2`] : null
}

function heightOf(letter: string, lowest: string): number {
  return Math.max(LOWEST, letter.charCodeAt(0) - lowest.charCodeAt(0) + 1)
}
