import { expect, test } from 'bun:test'
import { Numbering } from '../../../src/lib/text/numbering.ts'

/** @returns the resulting names, and the number of tries */
function numbered(names: readonly string[], limit: number) {
  const [taken, numbering] = [new Set<string>(), new Numbering(limit)]
  let tried = 0
  const spelled = (name: string, number: number) => (number === 1 ? name : `${name.slice(0, limit - 8)}-${number}`)
  const given = names.map((name) => {
    const number = numbering.next(name, (number) => {
      tried += 1
      return !taken.has(spelled(name, number))
    })
    taken.add(spelled(name, number))
    return spelled(name, number)
  })
  return { given, tried }
}

test('the first of a name has none; each that follows has the next number that is free', () => {
  expect(numbered(['a', 'a', 'b', 'a-3', 'a', 'a'], 20).given).toEqual(['a', 'a-2', 'b', 'a-3', 'a-4', 'a-5'])
})

test('tries grow with the names, also where only their ends differ', () => {
  expect(numbered(Array(10_000).fill('backup'), 20).tried).toBeLessThan(30_001)
  const alike = Array.from({ length: 10_000 }, (_, index) => `${'x'.repeat(30)}${index % 7}`)
  expect(numbered(alike, 30).tried).toBeLessThan(60_000)
})
