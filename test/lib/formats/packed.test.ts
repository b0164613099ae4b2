import { expect, test } from 'bun:test'
import { packed, packedPages, unpacked } from '../../../src/lib/formats/packed.ts'
import { Temporal } from '../../../src/lib/time.ts'

const instant = Temporal.Instant.from('2026-05-04T10:00:00.123456Z')

test('a value comes through a message as it was', () => {
  const value = { at: instant, list: [instant, null, 'text', 1, true], bytes: new Uint8Array([1, 2]), none: undefined }
  const through = unpacked(structuredClone(packed(value).value)) as typeof value
  expect(through).toEqual(value)
  expect(Temporal.Instant.compare(through.at, instant)).toBe(0)
})

test('a value weighs about what its texts and bytes do', () => {
  expect(packed('x'.repeat(1_000)).weight).toBeGreaterThanOrEqual(1_000)
  expect(packed({ body: new Uint8Array(1_000) }).weight).toBeLessThan(1_100)
})

test('a value that is nested deeply is no plain data', () => {
  let deep: unknown = null
  for (let depth = 0; depth < 200; depth++) deep = [deep]
  expect(() => packed(deep)).toThrow('nested too deeply')
})

test('pages have as many items as weigh little together; a heavy one comes alone', () => {
  const pages = [...packedPages(['a', 'b', 'c', 'x'.repeat(1_000), 'd'], 2, 500)]
  expect(pages.map((page) => page.length)).toEqual([2, 1, 1, 1])
  expect([...packedPages([], 2, 500)]).toEqual([])
})
