/** Remembers what comes next after a time. The answer `next` to `from` is the answer to every time between them. */

interface Answer {
  from: number
  /** null: nothing comes next, ever */
  readonly next: number | null
}

/** Whoever asks about the present and about some times just before it, again and again, finds all of these. */
const KEPT = 16

/**
 * The latest different answers. Only for questions with one answer at each time: if `next` is the first after `from`, it must be the first
 * after all times between them.
 */
export class NextMemo {
  /** newest first */
  readonly #answers: Answer[] = []

  /** Undefined if the answer is not known. */
  find(after: number): number | null | undefined {
    for (const answer of this.#answers) {
      if (after >= answer.from && (answer.next === null || after < answer.next)) return answer.next
    }
    return undefined
  }

  keep(from: number, next: number | null): void {
    const known = this.#answers.find((answer) => answer.next === next)
    if (known) {
      known.from = Math.min(known.from, from)
      return
    }
    this.#answers.unshift({ from, next })
    if (this.#answers.length > KEPT) this.#answers.pop()
  }
}
