import { afterEach, expect, test } from 'bun:test'
import { ProjectCounts } from '../../../src/services/live/project-counts.ts'

/** A store that answers when the test says so. */
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
const counts = new ProjectCounts({ read: store.countDown, onError: (error) => expect(error).toBeNull() })
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

/** Counts over a store that answers at once, and the updates of their readers, newest last. */
function openCounts() {
  const down: Record<string, number> = { a: 0, b: 0 }
  const quick = { countDown: async (ids: readonly string[]) => ids.map((id) => down[id] ?? 0) }
  const counts = new ProjectCounts({ read: quick.countDown, onError: (error) => expect(error).toBeNull() })
  const watch = (ids: readonly string[]) => {
    const told: Record<string, number>[] = []
    const leave = counts.watch(ids, (numbers) => told.push(Object.fromEntries(numbers)))
    return { told, leave }
  }
  const set = (id: string, number: number) => {
    down[id] = number
    counts.change(id)
  }
  return { counts, watch, set }
}

test('a number that changed while nobody watched its project is read again for the next reader', async () => {
  const { counts, watch, set } = openCounts()
  set('b', 1)
  const [stays, first] = [watch(['a']), watch(['a', 'b'])]
  await counts.update()
  expect(first.told).toEqual([{ a: 0, b: 1 }])
  first.leave()
  set('b', 0)
  await counts.update()
  const second = watch(['a', 'b'])
  await counts.update()
  expect(second.told).toEqual([{ a: 0, b: 0 }])
  expect(stays.told).toEqual([{ a: 0 }])
  counts.close()
})

test('a change that comes while the first number is read is told after it', async () => {
  const told: (number | undefined)[] = []
  const leave = counts.watch(['p'], (down) => told.push(down.get('p')))
  state.down = 1
  const first = counts.update()
  state.down = 0
  counts.change('p')
  state.answer()
  await first
  const second = counts.update()
  state.answer()
  await second
  expect(told).toEqual([1, 0])
  leave()
})

test('a new reader gets all of its numbers at once, and then what changes', async () => {
  const { counts, watch, set } = openCounts()
  set('b', 2)
  watch(['a'])
  await counts.update()
  const both = watch(['a', 'b'])
  expect(both.told).toEqual([])
  await counts.update()
  set('a', 3)
  await counts.update()
  expect(both.told).toEqual([{ a: 0, b: 2 }, { a: 3 }])
  expect(watch(['a', 'b']).told).toEqual([{ a: 3, b: 2 }])
  counts.close()
})
