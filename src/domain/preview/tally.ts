/** Counts how often something came in each of some places, such as the hours of a day, and how often it could have. */

export interface Tally {
  readonly seen: number[]
  readonly possible: number[]
}

/** A place with a smaller share of the rate of the busiest is not busy. */
const OFTEN = 0.25

export function tally(places: number): Tally {
  return { seen: new Array<number>(places).fill(0), possible: new Array<number>(places).fill(0) }
}

export function count(amounts: number[], place: number, amount: number): void {
  amounts[place] = (amounts[place] ?? 0) + amount
}

/** The places in which it often came, in order. Those in which it was never possible are busy if all others are. */
export function busyPlaces({ seen, possible }: Tally): readonly number[] {
  const rates = seen.map((amount, place) => amount / (possible[place] ?? 0))
  const known = rates.filter((rate) => Number.isFinite(rate))
  const busiest = Math.max(0, ...known)
  const isAll = known.every((rate) => rate >= busiest * OFTEN)
  return rates.flatMap((rate, place) => ((Number.isFinite(rate) ? rate >= busiest * OFTEN : isAll) ? [place] : []))
}

/** Of some places together. */
export function totals({ seen, possible }: Tally, places: readonly number[]): { seen: number; possible: number } {
  const sum = (amounts: readonly number[]) => places.reduce((total, place) => total + (amounts[place] ?? 0), 0)
  return { seen: sum(seen), possible: sum(possible) }
}
