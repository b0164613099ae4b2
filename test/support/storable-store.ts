/** Checks that every engine can store every text that the store receives. */

import { isStorable } from '../../src/lib/text/text.ts'
import { wrapped } from './wrapped-methods.ts'

/** Wraps a store, so that its methods reject texts with U+0000 or half of a surrogate pair anywhere in their arguments. */
export function storableStore<Store extends object>(store: Store): Store {
  return wrapped(store, (path, method) => (...given) => {
    const refused = given.flatMap((value) => unstorableIn(value, path))
    if (refused.length > 0) throw new Error(`the store was given a text that not every engine can store: ${refused}`)
    const result = method(...given.map(checked))
    // `by` returns the writes of an author.
    return path === 'by' ? storableStore(result as object) : result
  })
}

/** Wraps a function of the caller, such as a decision, because its result is stored. */
function checked(value: unknown): unknown {
  if (typeof value !== 'function') return value
  return (...args: readonly unknown[]) => {
    const result: unknown = Reflect.apply(value, null, args)
    const refused = unstorableIn(result, 'a decision')
    if (refused.length > 0) throw new Error(`the store was given a text that not every engine can store: ${refused}`)
    return result
  }
}

/** Members that are not stored, or stored as JSON, which escapes such characters. */
const ESCAPED = new Set(['mail', 'settings'])

/** Lists the places of such texts. */
function unstorableIn(value: unknown, place: string): readonly string[] {
  if (typeof value === 'string') return isStorable(value) ? [] : [`${place}: ${JSON.stringify(value.slice(0, 60))}`]
  if (Array.isArray(value)) return value.flatMap((item, index) => unstorableIn(item, `${place}[${index}]`))
  if (value instanceof Map || value instanceof Set) return unstorableIn([...value], place)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return []
  return Object.entries(value).flatMap(([name, item]) =>
    ESCAPED.has(name) ? [] : unstorableIn(item, `${place}.${name}`),
  )
}
