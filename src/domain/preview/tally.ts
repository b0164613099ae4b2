/** Counts how often an event happened in each of several places, such as the hours of a day, and how often it could have happened. */

export interface Tally {
  readonly seen: number[]
  readonly possible: number[]
}

/** Minimum rate of a busy place, as a share of the busiest place's rate. */
const OFTEN = 0.25

export function tally(places: number): Tally {
  return { seen: new Array<number>(places).fill(0), possible: new Array<number>(places).fill(0) }
}

export function count(amounts: number[], place: number, amount: number): void {
  amounts[place] = (amounts[place] ?? 0) + amount
}

/** Returns the busy places in order. A place where the event was never possible counts as busy if all other places are. */
export function busyPlaces({ seen, possible }: Tally): readonly number[] {
  const rates = seen.map((amount, place) => amount / (possible[place] ?? 0))
  const known = rates.filter((rate) => Number.isFinite(rate))
  const busiest = Math.max(0, ...known)
  const isAll = known.every((rate) => rate >= busiest * OFTEN)
  return rates.flatMap((rate, place) => ((Number.isFinite(rate) ? rate >= busiest * OFTEN : isAll) ? [place] : []))
}

/** Adds up the counts of some places. */
export function totals({ seen, possible }: Tally, places: readonly number[]): { seen: number; possible: number } {
  const sum = (amounts: readonly number[]) => places.reduce((total, place) => total + (amounts[place] ?? 0), 0)
  return { seen: sum(seen), possible: sum(possible) }
}
