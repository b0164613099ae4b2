/**
 * Packs values into messages between processes. A packed value is a copy of plain data in which instants are replaced by nanoseconds
 * (bigint). The original value must not contain any other bigint.
 */
import { Temporal } from '../time.ts'

/** Maximum nesting depth. Deeper nesting is assumed to be an attack. */
const DEPTH_LIMIT = 100
/** Weight of a number, a boolean or an empty string, in bytes. */
const LEAST_WEIGHT = 16

interface Packed {
  readonly value: unknown
  /** approximate size in bytes */
  readonly weight: number
}

/** @throws RangeError if a value is nested too deeply */
export function packed(given: unknown): Packed {
  let weight = 0
  const pack = (value: unknown, depth: number): unknown => {
    if (depth > DEPTH_LIMIT) throw new RangeError('a value is nested too deeply')
    weight += LEAST_WEIGHT
    if (typeof value === 'string' || value instanceof Uint8Array) weight += value.length
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
    if (value instanceof Temporal.Instant) return value.epochNanoseconds
    if (Array.isArray(value)) return value.map((item) => pack(item, depth + 1))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, pack(member, depth + 1)]))
  }
  return { value: pack(given, 0), weight }
}

export function unpacked(value: unknown): unknown {
  if (typeof value === 'bigint') return new Temporal.Instant(value)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  if (Array.isArray(value)) return value.map(unpacked)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unpacked(member)]))
}

/** Packs the items, in order, into pages of at most `most` items and `limit` bytes. An item larger than the limit gets a page to itself. */
export function* packedPages(items: Iterable<unknown>, most: number, limit: number): Generator<unknown[]> {
  let [page, sum]: [unknown[], number] = [[], 0]
  for (const item of items) {
    const { value, weight } = packed(item)
    if (page.length > 0 && (page.length >= most || sum + weight > limit)) {
      yield page
      page = []
      sum = 0
    }
    page.push(value)
    sum += weight
  }
  if (page.length > 0) yield page
}
