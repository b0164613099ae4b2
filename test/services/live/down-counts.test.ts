import { afterEach, expect, test } from 'bun:test'
import { DownCounts } from '../../../src/services/live/down-counts.ts'

/** A store that answers when it is told to. */
function slowStore() {
  const state = { down: 1, answer: () => {} }
  const countDown = async (ids: readonly string[]) => {
    const { down } = state
    await new Promise<void>((resolve) => {
      state.answer = resolve
    })
    return ids.map(() => down)
  }
  return { state, store: { countDown } }
}

const { state, store } = slowStore()
const counts = new DownCounts({ store }, { onError: (error) => expect(error).toBeNull() })
afterEach(() => counts.close())

test('a number that was read while the last reader left is not told to the next one', async () => {
  const leave = counts.watch(['p'], () => {})
  const reading = counts.update()
  leave()
  state.answer()
  await reading
  state.down = 5
  const told: (number | undefined)[] = []
  counts.watch(['p'], (down) => told.push(down.get('p')))
  const again = counts.update()
  state.answer()
  await again
  expect(told).toEqual([5])
})
