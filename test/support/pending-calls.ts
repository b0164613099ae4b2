/** Tells when a store has nothing to do. A test that counted turns of the event loop would depend on the engine. */
import { wrapped } from './wrapped-methods.ts'

interface CountedStore<Store> {
  /** The same store. Calls of the writes of an author are not counted. */
  readonly store: Store
  /** how many calls have not returned yet */
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
