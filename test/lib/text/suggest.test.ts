import { expect, test } from 'bun:test'
import { suggest } from '../../../src/lib/text/suggest.ts'

const WORDS = ['project', 'project list', 'serve', 'key', 'check']

test.each([
  ['projct', 'project'],
  ['porject', 'project'],
  ['projectt', 'project'],
  ['chekc', 'check'],
  ['sevre', 'serve'],
  ['kye', 'key'],
  ['project lst', 'project list'],
  ['SERVE', 'serve'],
])('%s is close to %s', (typed, meant) => {
  expect(suggest(typed, WORDS)).toBe(meant)
})

test.each(['', 'x', 'kill', 'frobnicate', 'p'.repeat(100_000)])('%s is close to no word', (typed) => {
  expect(suggest(typed, WORDS)).toBeNull()
})
