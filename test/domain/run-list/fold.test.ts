import { expect, test } from 'bun:test'
import { foldRuns } from '../../../src/domain/run-list/fold.ts'

/** Folds runs. Each letter is a run, and the same letter means similar runs. A number in the result is a fold of that many runs. */
const folded = (runs: string) =>
  foldRuns([...runs], (run, newer) => run === newer)
    .map((line) => (line.kind === 'run' ? line.run : String(line.runs.length)))
    .join(' ')

test('three runs that are like the one above them are one line', () => {
  expect(folded('abcdeeeefff')).toBe('a b c d e 3 f f f')
})

test('the newest five stand one by one', () => {
  expect(folded('aaaaaaaaa')).toBe('a a a a a 4')
  expect(folded('aaaaaaa')).toBe('a a a a a a a')
})

test('twelve lines are shown, and what is folded counts as one', () => {
  expect(folded('abcdefghijklmnop')).toBe('a b c d e f g h i j k l')
  expect(folded(`abcde${'e'.repeat(20)}fghijklm`)).toBe('a b c d e 20 f g h i j k')
})

test('no runs make no lines', () => {
  expect(foldRuns([], () => true)).toEqual([])
})
