/** A check's last 24 hours as SVG paths. A quarter hour is one unit wide, and the image is 20 px high. */

/** Path classes by letter. `day-letters.ts` defines the letters. Letters that are missing here are not drawn. */
const LOOKS: Readonly<Record<string, string>> = {
  r: 'ok',
  s: 'sl',
  L: 'lt',
  n: 'rn',
  p: 'pa',
  F: 'fl',
  M: 'ms',
  m: 'ms',
}

/**
 * Returns a path for each sequence of quarter hours with the same letter.
 * @param letters a letter for each quarter hour, oldest first
 * @param first position of the first letter
 * @param present position of the current quarter hour; the current state is drawn up to there
 */
export function dayPaths(letters: string, first: number, present: number): (readonly [look: string, path: string])[] {
  const known = first + letters.length - 1
  const paths = [...letters.matchAll(/([^.])\1*/g)].flatMap(({ 0: { length }, 1: letter = '', index }) => {
    const from = first + index
    const goesOn = from + length > known && 'mnp'.includes(letter)
    const until = goesOn ? present + 1 : from + length
    const look = LOOKS[letter] ?? ''
    const [top, height] = look === 'ms' ? [3, 14] : [2, 16]
    const path = 'FMm'.includes(letter) ? `M${from} ${top}H${until}v${height}H${from}z` : `M${from} 10H${until}`
    // A late stretch has a dot below its end.
    return [[look, path] as const, ...(letter === 'L' ? [['lt2', `M${until - 1} 18.5h1`] as const] : [])]
  })
  return [...paths, ['now', `M${present + 1} 0V20`]]
}
