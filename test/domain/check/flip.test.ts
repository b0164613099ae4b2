/** Flips: how they are recorded, and which send alerts. */
import { expect, test } from 'bun:test'
import { flipTo, sendsAlerts } from '../../../src/domain/check/flip.ts'
import { aCheck, CHECK_ID, NOON } from '../../support/builders.ts'

test('a flip holds both statuses, the reason and the time, and is numbered by its check', () => {
  const check = aCheck({ status: 'up', nEvents: 2, nPings: 9, lastPingAt: NOON })
  const flipped = flipTo(check, 'down', 'fail', NOON)
  expect(flipped.flip).toEqual({
    checkId: CHECK_ID,
    n: 3,
    createdAt: NOON,
    oldStatus: 'up',
    newStatus: 'down',
    reason: 'fail',
  })
  expect(flipped.check).toEqual({ ...check, status: 'down', nEvents: 3 })
})

test.each([
  ['new', 'up', false],
  ['new', 'down', true],
  ['new', 'paused', false],
  ['up', 'down', true],
  ['up', 'paused', false],
  ['down', 'up', true],
  ['down', 'paused', false],
  ['paused', 'up', false],
  ['paused', 'down', true],
  ['paused', 'new', false],
] as const)('from %s to %s sends alerts: %p', (oldStatus, newStatus, news) => {
  expect(sendsAlerts({ oldStatus, newStatus })).toBe(news)
})
