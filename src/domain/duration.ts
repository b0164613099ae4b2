/** Formats durations as readable text. */

const UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]
const WEEK = 604_800

/** Formats a count with its unit, such as `1 check` or `2 checks`. */
export function count(amount: number, unit: string): string {
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`
}

/** Splits seconds into whole amounts of each unit, largest unit first. Amounts may be zero. */
function split(seconds: number): (readonly [amount: number, unit: string])[] {
  let rest = Math.max(0, Math.floor(seconds))
  return UNITS.map(([unit, size]) => {
    const amount = Math.floor(rest / size)
    rest -= amount * size
    return [amount, unit]
  })
}

/**
 * Formats a check's period. A whole number of weeks is given in weeks, such as `1 week`. Any other period lists all units that are not
 * zero, such as `8 days` or `1 hour 30 minutes`.
 */
export function periodInWords(seconds: number): string {
  if (seconds > 0 && seconds % WEEK === 0) return count(seconds / WEEK, 'week')
  const parts = split(seconds).filter(([amount]) => amount > 0)
  return parts.map(([amount, unit]) => count(amount, unit)).join(' ') || count(0, 'second')
}

/** Like {@link periodInWords}, but with one-letter units, such as `1d 3h 31m` or `2w`. */
export function periodInLetters(seconds: number): string {
  return periodInWords(seconds).replaceAll(/(\d+) (\w)\w*/g, '$1$2')
}

/**
 * Formats a duration with its largest unit and the next smaller one, such as `1 hour, 30 minutes`. Omits the smaller one if it is zero: `2
 * hours`.
 */
export function spanInWords(seconds: number): string {
  const parts = split(seconds)
  const largest = parts.findIndex(([amount], index) => amount > 0 || index === parts.length - 1)
  return parts
    .slice(largest, largest + 2)
    .filter(([amount], index) => index === 0 || amount > 0)
    .map(([amount, unit]) => count(amount, unit))
    .join(', ')
}

/** Formats elapsed time with only the largest unit, such as `now`, `5 minutes ago` or `3 weeks ago`. */
export function agoInWords(seconds: number): string {
  const span = largestUnit(seconds)
  return span === null ? 'now' : `${span} ago`
}

/** Like {@link agoInWords}, but returns text such as `in 5 minutes` for negative seconds. */
export function relativeInWords(secondsAgo: number): string {
  const ahead = largestUnit(-secondsAgo)
  return ahead === null ? agoInWords(secondsAgo) : `in ${ahead}`
}

/** Returns the largest unit of a duration, or null if the duration is shorter than a second. */
function largestUnit(seconds: number): string | null {
  if (seconds >= WEEK) return count(Math.floor(seconds / WEEK), 'week')
  const found = split(seconds).find(([amount]) => amount > 0)
  return found ? count(...found) : null
}
