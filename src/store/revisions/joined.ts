/**
 * Returns a function for work that many callers request at the same time, and that must begin after each request. Only one run is in
 * progress at a time. All requests made during a run share the next run.
 */
export function createJoined<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | null = null
  const begin = () => {
    next = null
    return work()
  }
  return () => {
    if (next) return next
    next = last.then(begin, begin)
    last = next
    return next
  }
}
