/** The picture of the last 24 hours, as the script draws it. */
import { expect, test } from 'bun:test'
import { dayPaths } from '../../../../src/http/web/browser/day-paths.ts'

const drawn = (letters: string, first = 0, present = letters.length - 1) =>
  dayPaths(letters, first, present).slice(0, -1)

test('every letter has a shape of its own, and what is alike in a row is one', () => {
  expect(drawn('..rr.s')).toEqual([
    ['ok', 'M2 10H4'],
    ['sl', 'M5 10H6'],
  ])
  expect(drawn('LL.F')).toEqual([
    ['lt', 'M0 10H2'],
    ['lt2', 'M1 18.5h1'],
    ['fl', 'M3 2H4v16H3z'],
  ])
  expect(drawn('MM.p.n')).toEqual([
    ['ms', 'M0 3H2v14H0z'],
    ['pa', 'M3 10H4'],
    ['rn', 'M5 10H6'],
  ])
  expect(drawn('.?<')).toEqual([
    ['', 'M1 10H2'],
    ['', 'M2 10H3'],
  ])
})

test('what went on when the row was made goes on up to now, and nothing else does', () => {
  for (const letter of 'mnp') expect(drawn(`r${letter}`, 0, 4)[1]?.[1]).toMatch(/^M1 (?:3|10)H5/)
  for (const letter of 'rFML') expect(drawn(`.${letter}`, 0, 4)[0]?.[1]).toMatch(/^M1 (?:2|3|10)H2/)
})

test('a row that is older than the hours above it lies further back', () => {
  expect(drawn('r..r', -4, 5)).toEqual([
    ['ok', 'M-4 10H-3'],
    ['ok', 'M-1 10H0'],
  ])
})

test('the line at now is at the end of the present quarter hour', () => {
  expect(dayPaths('...', 0, 93).at(-1)).toEqual(['now', 'M94 0V20'])
})
