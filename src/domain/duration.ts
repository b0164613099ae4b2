/** Formats durations as words. */

const UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]
const WEEK = 604_800

/** Returns an amount with its unit: `1 check`, `2 checks`. */
export function count(amount: number, unit: string): string {
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`
}

/** Splits seconds into whole amounts of each unit, largest unit first, including zeros. */
function split(seconds: number): (readonly [amount: number, unit: string])[] {
  let rest = Math.max(0, Math.floor(seconds))
  return UNITS.map(([unit, size]) => {
    const amount = Math.floor(rest / size)
    rest -= amount * size
    return [amount, unit]
  })
}

/**
 * Formats the period of a check: `1 week` for whole weeks; otherwise all units that are not zero, such as `8 days` or `1 hour 30 minutes`.
 */
export function periodInWords(seconds: number): string {
  if (seconds > 0 && seconds % WEEK === 0) return count(seconds / WEEK, 'week')
  const parts = split(seconds).filter(([amount]) => amount > 0)
  return parts.map(([amount, unit]) => count(amount, unit)).join(' ') || count(0, 'second')
}

/** Like {@link periodInWords}, with one-letter units: `1d 3h 31m`, `2w`. */
export function periodInLetters(seconds: number): string {
  return periodInWords(seconds).replaceAll(/(\d+) (\w)\w*/g, '$1$2')
}

/** Returns the largest unit and the next smaller one, unless that is zero: `1 hour, 30 minutes`; `2 hours`. */
export function spanInWords(seconds: number): string {
  const parts = split(seconds)
  const largest = parts.findIndex(([amount], index) => amount > 0 || index === parts.length - 1)
  return parts
    .slice(largest, largest + 2)
    .filter(([amount], index) => index === 0 || amount > 0)
    .map(([amount, unit]) => count(amount, unit))
    .join(', ')
}

/** Returns only the largest unit: `now`, `5 minutes ago`, `3 weeks ago`. */
export function agoInWords(seconds: number): string {
  const span = largestUnit(seconds)
  return span === null ? 'now' : `${span} ago`
}

/** Like {@link agoInWords}; returns `in 5 minutes` for negative seconds. */
export function relativeInWords(secondsAgo: number): string {
  const ahead = largestUnit(-secondsAgo)
  return ahead === null ? agoInWords(secondsAgo) : `in ${ahead}`
}

/** Returns null for less than a second. */
function largestUnit(seconds: number): string | null {
  if (seconds >= WEEK) return count(Math.floor(seconds / WEEK), 'week')
  const found = split(seconds).find(([amount]) => amount > 0)
  return found ? count(...found) : null
}
