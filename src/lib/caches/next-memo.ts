/** Remembers what comes next after a time. The answer `next` to `from` is the answer to every time between them. */

interface Answer {
  from: number
  /** `Infinity`: nothing comes next, ever */
  readonly next: number
}

/** Whoever asks about the present and about some times just before it, again and again, finds all of these. */
const KEPT = 16

/**
 * The answers around the time that was asked about last. Only for questions with one answer at each time: if `next` is the first after
 * `from`, it must be the first after all times between them.
 */
export class NextMemo {
  /** in the order of time */
  readonly #answers: Answer[] = []

  /** @param kept how many answers */
  constructor(readonly kept = KEPT) {}

  /** Undefined if the answer is not known. */
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

  /** The place of the first answer that comes after a time. */
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
