/** Tells when a store has nothing to do. A test that counted turns of the event loop would depend on the engine. */

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
  const counted = new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return (...given: readonly unknown[]) => {
        const result: unknown = Reflect.apply(member, target, given)
        if (result instanceof Promise) {
          pending += 1
          result.then(ended, ended)
        }
        return result
      }
    },
  })
  return { store: counted, pending: () => pending }
}
