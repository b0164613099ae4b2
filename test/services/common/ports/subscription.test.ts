/** Updates that wait for one reader. */
import { expect, test } from 'bun:test'
import { type LiveUpdate, projectUpdate } from '../../../../src/services/common/ports/live-update.ts'
import { Subscription } from '../../../../src/services/common/ports/subscription.ts'
import { handClock } from '../../../support/clock.ts'

/** An update of another kind than checks, identified by its number. */
const down = (number: number): LiveUpdate => ({ kind: 'down', down: new Map([['p', number]]) })
const emptyUpdate = () =>
  projectUpdate({
    projectId: 'p',
    at: handClock().now(),
    position: null,
    checks: [],
    removed: [],
    touched: new Set(),
    hasAlertNews: false,
    counts: null,
    hasNewDoubts: false,
    isBehind: false,
    hasTurned: false,
  })
const lost: LiveUpdate = { kind: 'lost' }

function open(wants: (update: LiveUpdate) => boolean = () => true) {
  let closed = 0
  const subscription = new Subscription(wants, () => {
    closed += 1
  })
  return { subscription, closed: () => closed }
}

test('come in order, also to who waits for them', async () => {
  const { subscription } = open()
  const first = subscription.next()
  subscription.push(down(1))
  subscription.push(down(2))
  expect(await first).toEqual(down(1))
  expect(await subscription.next()).toEqual(down(2))
})

test('are eight at most: then the reader is told that some are lost, and gets the newest', async () => {
  const { subscription } = open()
  for (let number = 1; number <= 9; number += 1) subscription.push(down(number))
  expect(await subscription.next()).toEqual(lost)
  expect(await subscription.next()).toEqual(down(9))
})

test('are not kept when the reader does not want them', async () => {
  const { subscription } = open((update) => update.kind !== 'down')
  for (let number = 1; number <= 9; number += 1) subscription.push(down(number))
  subscription.push(lost)
  expect(await subscription.next()).toEqual(lost)
})

test('of checks can be taken together, and the others stay', async () => {
  const { subscription } = open()
  const [first, second] = [emptyUpdate(), emptyUpdate()]
  for (const each of [first, down(1), second]) subscription.push(each)
  expect(subscription.takeNewest()).toBe(second)
  expect(subscription.takeNewest()).toBeNull()
  expect(await subscription.next()).toEqual(down(1))
})

test('end once, and whoever waits is told so', async () => {
  const { subscription, closed } = open()
  subscription.push(down(1))
  await subscription.next()
  const waiting = subscription.next()
  subscription.close()
  subscription.close()
  subscription.push(down(2))
  expect(await waiting).toBeNull()
  expect(await subscription.next()).toBeNull()
  expect(closed()).toBe(1)
})
