/** The judge of deliveries by several instances can fail: an intact record passes, and each fault in it is reported. */
import { expect, test } from 'bun:test'
import { countRepeats, hastyRepeats, type TimedArrivals, wrongSequence } from './support/arrivals.ts'

const DELIVERIES = [1, 2].map((eventN) => {
  const rest = { error: null, attempts: 1, heldUntil: null, endedAt: 3, attemptedAt: eventN }
  return { id: `d${eventN}`, checkId: 'check', eventN, channelId: 'channel', state: 'sent' as const, ...rest }
})

/** @param came ids with their arrival in seconds */
function arrivals(...came: readonly (readonly [id: string, seconds: number])[]): TimedArrivals {
  return new Map([['channel', came.map(([id, seconds]) => ({ id, at: seconds * 1_000 }))]])
}

const INTACT = arrivals(['d1', 1], ['d1', 11], ['d2', 12])

test('a repeat after ten seconds is no fault, and is counted', () => {
  expect(hastyRepeats(INTACT)).toEqual([])
  expect(wrongSequence(INTACT, { deliveries: DELIVERIES })).toEqual([])
  expect(countRepeats(INTACT)).toBe(1)
})

test('a repeat while another instance still has the delivery is reported', () => {
  expect(hastyRepeats(arrivals(['d1', 1], ['d2', 2], ['d1', 3]))).toEqual(['the delivery d1 came again after 2000 ms'])
})

test('a flip that is told after a later one of its check is reported', () => {
  expect(wrongSequence(arrivals(['d2', 1], ['d1', 2]), { deliveries: DELIVERIES })).toEqual([
    'flip 1 of check was told after flip 2',
  ])
})
