/**
 * Work that many ask for at the same time, and that must begin after each of them has asked. It runs once at a time; all who ask
 * while it runs share the next run.
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
