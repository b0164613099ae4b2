/** Replays recorded answers of Healthchecks against Overdue. The cases that wait are in `test-slow/`. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { readCases, titleOf } from './case.ts'
import { NOT_YET } from './not-yet.ts'
import { conformanceSuite } from './suite.ts'

const cases = readCases(join(import.meta.dir, 'cases'))
const slow = readCases(join(import.meta.dir, 'slow'))

conformanceSuite(
  'conformance',
  cases.filter((item) => item.slow !== true),
  30_000,
)

test('every case has a unique name', () => {
  const titles = [...cases, ...slow].map(titleOf)
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
})

test('every case in the not-yet list is a recorded case', () => {
  const titles = new Set([...cases, ...slow].map(titleOf))
  expect(Object.keys(NOT_YET).filter((title) => !titles.has(title))).toEqual([])
})
