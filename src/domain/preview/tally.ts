/** Counts how often an event happened in each of several slots, such as the hours of a day, and how often it could have happened. */

export interface Tally {
  readonly seen: number[]
  readonly possible: number[]
}

/** Minimum rate of a busy slot, relative to the rate of the busiest one. */
const OFTEN = 0.25

export function tally(places: number): Tally {
  return { seen: new Array<number>(places).fill(0), possible: new Array<number>(places).fill(0) }
}

export function count(amounts: number[], place: number, amount: number): void {
  amounts[place] = (amounts[place] ?? 0) + amount
}

/**
 * Returns the indexes of the busy slots in ascending order. A slot in which the event was never possible counts as busy if all other slots
 * are.
 */
export function busyPlaces({ seen, possible }: Tally): readonly number[] {
  const rates = seen.map((amount, place) => amount / (possible[place] ?? 0))
  const known = rates.filter((rate) => Number.isFinite(rate))
  const busiest = Math.max(0, ...known)
  const isAll = known.every((rate) => rate >= busiest * OFTEN)
  return rates.flatMap((rate, place) => ((Number.isFinite(rate) ? rate >= busiest * OFTEN : isAll) ? [place] : []))
}

/** Adds up the counts of the given slots. */
export function totals({ seen, possible }: Tally, places: readonly number[]): { seen: number; possible: number } {
  const sum = (amounts: readonly number[]) => places.reduce((total, place) => total + (amounts[place] ?? 0), 0)
  return { seen: sum(seen), possible: sum(possible) }
}
