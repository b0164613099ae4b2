/** The result of work in steps, all of which are done at once. */
export function toEnd<Result>(work: Iterator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
