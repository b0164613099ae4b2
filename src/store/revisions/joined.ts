/**
 * Returns a function that runs `work` for many concurrent callers. A caller always gets the result of a run that began after its call. Only
 * one run is in progress at a time, and all calls made during a run share the next one.
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
