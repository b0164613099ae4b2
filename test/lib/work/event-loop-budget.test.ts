/** Other work gets turns while one kind of work continues. */
import { expect, test } from 'bun:test'
import { EventLoopBudget } from '../../../src/lib/work/event-loop-budget.ts'

/** Keeps the thread busy. */
function work(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

test('work that has used up its turn lets all other work go first', async () => {
  const budget = new EventLoopBudget(2)
  const events: string[] = []
  const others = (async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      events.push('other')
    }
  })()
  for (let piece = 0; piece < 3; piece += 1) {
    await budget.available()
    work(3)
    events.push('work')
  }
  await others
  expect(events).toEqual(['work', 'other', 'work', 'other', 'work', 'other'])
})

test.each([2, 20])('%d who work at once have no more of a turn together than one', async (count) => {
  const budget = new EventLoopBudget(4)
  let [inTurn, longest, isOver] = [0, 0, false]
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
  const others = (async () => {
    while (!isOver) {
      await nextTurn()
      longest = Math.max(longest, inTurn)
      inTurn = 0
    }
  })()
  const reader = async () => {
    await nextTurn()
    for (let piece = 0; piece < 40 / count; piece += 1) {
      await budget.available()
      work(1)
      inTurn += 1
    }
  }
  await Promise.all(Array.from({ length: count }, reader))
  isOver = true
  await others
  // One piece may begin at the end of the time.
  expect(longest).toBeLessThanOrEqual(5)
})

test('short work continues within its turn', async () => {
  const budget = new EventLoopBudget(60_000)
  let turns = 0
  const count = () => {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  for (let piece = 0; piece < 1_000; piece += 1) await budget.available()
  clearImmediate(timer)
  expect(turns).toBe(0)
})
