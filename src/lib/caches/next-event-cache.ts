/**
 * Caches the first event after a given time. If `next` is the first event after `from`, it is also the first event after every time between
 * them.
 */

interface Answer {
  from: number
  /** `Infinity` if there is no later event */
  readonly next: number
}

/** Default number of entries, which is enough for repeated lookups of times close to now. */
const KEPT = 16

/**
 * Caches results near the time of the last lookup. Only suitable if the result for a given time never changes: if `next` is the first event
 * after `from`, it must also be the first event after all times between them.
 */
export class NextEventCache {
  /** entries in chronological order */
  readonly #answers: Answer[] = []

  /** @param kept maximum number of entries */
  constructor(readonly kept = KEPT) {}

  /** @returns null if there is no event after `after`; undefined if the result is not cached */
  find(after: number): number | null | undefined {
    const answer = this.#answers[this.#firstAfter(after)]
    if (answer === undefined || after < answer.from) return undefined
    return answer.next === Number.POSITIVE_INFINITY ? null : answer.next
  }

  keep(from: number, next: number | null): void {
    const index = this.#firstAfter(from)
    const known = this.#answers[index]
    const answer = { from, next: next ?? Number.POSITIVE_INFINITY }
    if (known?.next === answer.next) known.from = Math.min(known.from, from)
    else this.#answers.splice(index, 0, answer)
    if (this.#answers.length > this.kept) this.#forgetFarthest(from)
  }

  #forgetFarthest(time: number): void {
    const [first, last] = [this.#answers[0]?.from ?? time, this.#answers.at(-1)?.from ?? time]
    if (time - first >= last - time) this.#answers.shift()
    else this.#answers.pop()
  }

  /** Returns the index of the first entry whose event is after a given time. */
  #firstAfter(time: number): number {
    let low = 0
    let high = this.#answers.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#answers[middle]?.next ?? time) <= time) low = middle + 1
      else high = middle
    }
    return low
  }
}
