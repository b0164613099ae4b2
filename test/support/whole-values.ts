/**
 * `toMatchObject`, mended before any test runs: of an instant, a map or an error in what is expected, Bun's own compares
 * the enumerable members, of which these have none, and passes whatever it got. Here they are compared as by `toEqual`, too.
 */
import { expect } from 'bun:test'

type Equals = (received: unknown, expected: unknown) => boolean

const bunsOwn = Object.getPrototypeOf(expect(undefined)).toMatchObject

expect.extend({
  toMatchObject(received, expected) {
    // First, because Bun puts matchers of what is expected into what is received.
    const difference = differenceIn(received, expected, this.equals.bind(this), 'received')
    try {
      bunsOwn.call(expect(received), expected)
    } catch (error) {
      return { pass: false, message: () => String(error instanceof Error ? error.message : error) }
    }
    return { pass: difference === null, message: () => difference ?? 'the received value matches what is not expected' }
  },
})

/** The first value that is not what is expected as a whole, in words; null when there is none. @param path leads to `received` */
function differenceIn(received: unknown, expected: unknown, equals: Equals, path: string): string | null {
  if (typeof expected !== 'object' || expected === null) return null
  if (!hasMembers(expected)) {
    return equals(received, expected) ? null : `${path} is ${String(received)} instead of ${String(expected)}`
  }
  for (const [name, value] of Object.entries(expected)) {
    const difference = differenceIn(Reflect.get(Object(received), name), value, equals, `${path}.${name}`)
    if (difference !== null) return difference
  }
  return null
}

/** Whether it is a list or a plain object, of which Bun compares the members. */
function hasMembers(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}
