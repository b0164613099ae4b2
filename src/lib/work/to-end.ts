/** Runs work in steps to its end without a pause. @returns its result */
export function toEnd<Result>(work: Iterator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
