/** The last 24 hours of a check as paths of SVG. A quarter hour is a unit across, and the picture is 20 px high. */

/** Path classes by letter, whose meaning `day-letters.ts` defines. Other letters are not drawn. */
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
 * Returns one path for each look and stretch.
 * @param letters one for each quarter hour, oldest first
 * @param first position of the first letter
 * @param present position of the present quarter hour: current states are drawn up to there
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
    // Late: a dot below the end of the stretch.
    return [[look, path] as const, ...(letter === 'L' ? [['lt2', `M${until - 1} 18.5h1`] as const] : [])]
  })
  return [...paths, ['now', `M${present + 1} 0V20`]]
}
