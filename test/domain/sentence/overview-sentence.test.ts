/** The number of checks with problems, in a sentence. */
import { expect, test } from 'bun:test'
import { type CountedChecks, overviewSentence } from '../../../src/domain/sentence/overview-sentence.ts'

const place = (down = 0, late = 0, isCut = false) => ({ down, late, unheard: { isCut } })
const NONE: CountedChecks = {
  ...{ down: 0, late: 0, slow: 0, expected: 0, unpinged: 0, resumed: 0, paused: 0, unheard: 0, isCut: false },
  places: [place()],
}
const says = (counts: Partial<CountedChecks>, seesAll = true) => overviewSentence({ ...NONE, ...counts }, seesAll)

test.each([
  [{}, 'Nothing is monitored yet.'],
  [{ expected: 1 }, '1 check, all good.'],
  [{ expected: 2_118 }, '2,118 checks, all good.'],
  [{ expected: 28, unpinged: 1, paused: 2 }, 'Nothing is down or late. 28 as expected, 1 not pinged yet, 2 paused.'],
  [{ resumed: 1, slow: 2 }, 'Nothing is down or late. 2 running longer than usual, 1 resumed and not pinged since.'],
  [{ expected: 3, unheard: 1 }, 'Nothing is down or late. 1 check would fail unnoticed. 3 as expected.'],
  [{ unheard: 5, places: [place(0, 0, true)] }, 'Nothing is down or late. At least 5 checks would fail unnoticed.'],
  [{ down: 1, places: [place(1)] }, '1 check down.'],
  [{ late: 2, places: [place(0, 2)] }, '2 checks late.'],
  [{ down: 3, late: 1, places: [place(3), place(0, 1), place()] }, '3 checks down and 1 late, in 2 of 3 projects.'],
  [{ down: 2, places: [place(1), place(1)] }, '2 checks down, in 2 projects.'],
] as const)('%j', (counts, sentence) => {
  expect(says(counts)).toBe(sentence)
})

test('to somebody who does not see all projects they are theirs', () => {
  expect(says({ down: 1, places: [place(1), place()] }, false)).toBe('1 check down, in 1 of your 2 projects.')
})

test('when not all that is wrong was read, says so, and nothing of the rest', () => {
  expect(says({ down: 501, isCut: true, expected: 3, places: [place(501)] })).toBe('At least 501 checks down.')
})
