/** Who else has a turn while one kind of work goes on and on. */
import { expect, test } from 'bun:test'
import { TurnBudget } from '../../src/store/turn-budget.ts'

/** Keeps the thread busy: that is what is shared out. */
function work(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

test('work that has used up its turn lets everything else go first', async () => {
  const budget = new TurnBudget(2)
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

test('short work goes on within its turn', async () => {
  const budget = new TurnBudget(60_000)
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
