/** Turns of parties, waiting, and refusals. */
import { expect, test } from 'bun:test'
import { createFairTurns } from '../../../src/lib/work/fair-turns.ts'

type Lane = 'left' | 'right'

/** Creates turns of which one is taken, and lists the parties served since or refused. */
const begin = async (waiting = 10, each = 10) => {
  const limits = { waiting, each }
  const turns = createFairTurns<Lane>({ left: limits, right: limits })
  const served: string[] = []
  const refused: string[] = []
  const ask = (lane: Lane, party: string, name = party) =>
    turns.acquire({ lane, party }).then((isAcquired) => void (isAcquired ? served : refused).push(name))
  await turns.acquire({ lane: 'left', party: 'first' })
  return {
    ask,
    served,
    refused,
    /** Ends the current turn, and lets the next one begin. */
    async next() {
      turns.release()
      await Promise.resolve()
      await Promise.resolve()
      await Promise.resolve()
    },
  }
}

const all = async (turns: Awaited<ReturnType<typeof begin>>, times: number) => {
  for (let n = 0; n < times; n += 1) await turns.next()
  return turns.served
}

test('callers of one party are served in order', async () => {
  const turns = await begin()
  for (const name of ['one', 'two', 'three']) turns.ask('left', 'ann', name)
  expect(await all(turns, 3)).toEqual(['one', 'two', 'three'])
})

test('a turn that nobody waited for is free for the next caller', async () => {
  const turns = await begin()
  await turns.next()
  await turns.ask('right', 'ann')
  expect(turns.served).toEqual(['ann'])
})

test('whoever asks often waits for itself: parties take turns', async () => {
  const turns = await begin()
  for (const name of ['a1', 'a2', 'a3', 'a4']) turns.ask('left', 'ann', name)
  turns.ask('left', 'bob', 'b1')
  turns.ask('left', 'bob', 'b2')
  expect(await all(turns, 6)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4'])
})

test('lanes take turns, however many wait in one', async () => {
  const turns = await begin()
  for (const party of ['l1', 'l2', 'l3']) turns.ask('left', party)
  turns.ask('right', 'r1')
  const [one, two] = await all(turns, 2)
  expect([one, two].toSorted()).toEqual(['l1', 'r1'])
})

test('a party has as many places as it may, and another one gets its own', async () => {
  const turns = await begin(10, 1)
  for (const name of ['a1', 'a2', 'a3']) turns.ask('left', 'ann', name)
  await turns.ask('left', 'ann', 'a4')
  turns.ask('left', 'bob')
  expect(turns.refused).toEqual(['a2', 'a3', 'a4'])
  expect(await all(turns, 2)).toEqual(['a1', 'bob'])
})

test('a full lane takes a place from the party that has most, its newest first', async () => {
  const turns = await begin(4)
  for (const name of ['a1', 'a2', 'a3']) turns.ask('left', 'ann', name)
  turns.ask('left', 'bob')
  turns.ask('left', 'carol')
  expect(await all(turns, 4)).toEqual(['a1', 'bob', 'carol', 'a2'])
  expect(turns.refused).toEqual(['a3'])
})

test('a lane that is full of parties with as few places refuses, and the other lane does not', async () => {
  const turns = await begin(2)
  for (const party of ['ann', 'bob']) turns.ask('left', party)
  await turns.ask('left', 'carol')
  turns.ask('right', 'dave')
  expect(turns.refused).toEqual(['carol'])
  expect((await all(turns, 3)).toSorted()).toEqual(['ann', 'bob', 'dave'])
})

test('nobody waits where nobody may, and the turn itself is given all the same', async () => {
  const turns = await begin(0)
  await turns.ask('left', 'ann')
  expect(turns.refused).toEqual(['ann'])
  await turns.next()
  await turns.ask('left', 'bob')
  expect(turns.served).toEqual(['bob'])
})
