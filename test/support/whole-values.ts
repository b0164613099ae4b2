/**
 * Replaces `toMatchObject` before any test runs. If an instant, a map or an error is expected, Bun's own compares enumerable members, of
 * which these have none, so any value passes. Here they are compared as by `toEqual`, too.
 */
import { expect } from 'bun:test'

type Equals = (received: unknown, expected: unknown) => boolean

const bunsOwn = Object.getPrototypeOf(expect(undefined)).toMatchObject

expect.extend({
  toMatchObject(received, expected) {
    // This comes first, because Bun puts matchers of the expected value into the received one.
    const difference = differenceIn(received, expected, this.equals.bind(this), 'received')
    try {
      bunsOwn.call(expect(received), expected)
    } catch (error) {
      return { pass: false, message: () => String(error instanceof Error ? error.message : error) }
    }
    return { pass: difference === null, message: () => difference ?? 'the received value matches what is not expected' }
  },
})

/** Describes the first value that differs from an expected whole value; null without any. @param path leads to `received` */
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

/** Whether the value is a list or a plain object, of which Bun compares the members. */
function hasMembers(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}
