/** A store, or what it does for an author, whose methods are watched. */

type Method = (...given: readonly unknown[]) => unknown

/**
 * @param wrap gets the way to each method that is called, as `checks.find`, and the method; returns what is called in its place
 * @param of the way to `part`
 */
export function wrapped<Part extends object>(
  part: Part,
  wrap: (path: string, method: Method) => Method,
  of = '',
): Part {
  return new Proxy(part, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      const path = of + String(name)
      if (typeof member === 'function') return wrap(path, (...given) => Reflect.apply(member, target, given))
      return typeof member === 'object' && member !== null ? wrapped(member, wrap, `${path}.`) : member
    },
  })
}
