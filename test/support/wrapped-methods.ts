/** A store, or an author's writes, with every method wrapped. */

type Method = (...given: readonly unknown[]) => unknown

/**
 * @param wrap gets a method and its path, such as `checks.find`; returns the function to call instead
 * @param of the path of `part`
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
