/** Counts the unfinished calls of a store. A test that counted turns of the event loop would depend on the engine. */
import { wrapped } from './wrapped-methods.ts'

interface CountedStore<Store> {
  /** the same store; an author's writes are not counted */
  readonly store: Store
  /** number of calls that have not returned yet */
  pending(): number
}

export function countCalls<Store extends object>(store: Store): CountedStore<Store> {
  let pending = 0
  const ended = () => {
    pending -= 1
  }
  const counted = wrapped(store, (_path, method) => (...given) => {
    const result = method(...given)
    if (result instanceof Promise) {
      pending += 1
      result.then(ended, ended)
    }
    return result
  })
  return { store: counted, pending: () => pending }
}
