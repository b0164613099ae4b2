/** Remembers what comes next after a time. The answer `next` to `from` is the answer to every time between them. */

interface Answer {
  from: number
  /** null: nothing comes next, ever */
  readonly next: number | null
}

/**
 * The two latest different answers: whoever asks about the previous time and about the present one, again and again, finds both.
 * Only for questions with one answer at each time: if `next` is the first after `from`, it must be the first after all
 * times between them.
 */
export class NextMemo {
  #latest: Answer | null = null
  #earlier: Answer | null = null

  /** Undefined if the answer is not known. */
  find(after: number): number | null | undefined {
    if (this.#latest && holds(this.#latest, after)) return this.#latest.next
    if (this.#earlier && holds(this.#earlier, after)) return this.#earlier.next
    return undefined
  }

  keep(from: number, next: number | null): void {
    const known = [this.#latest, this.#earlier].find((answer) => answer?.next === next)
    if (known) {
      known.from = Math.min(known.from, from)
      return
    }
    this.#earlier = this.#latest
    this.#latest = { from, next }
  }
}

function holds({ from, next }: Answer, after: number): boolean {
  return after >= from && (next === null || after < next)
}
