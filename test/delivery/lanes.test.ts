/** Who may pass, and who waits for how long. */
import { expect, test } from 'bun:test'
import { createLanes } from '../../src/delivery/lanes.ts'

test('as many pass as there are lanes, the others in their order as lanes become free', async () => {
  const lanes = createLanes(2, 10)
  const passed: number[] = []
  const enter = async (nth: number) => void ((await lanes.enter()) && passed.push(nth))
  const entering = [0, 1, 2, 3].map(enter)
  await Promise.all(entering.slice(0, 2))
  expect(passed).toEqual([0, 1])
  lanes.leave()
  await entering[2]
  expect(passed).toEqual([0, 1, 2])
  lanes.leave()
  await entering[3]
  expect(passed).toEqual([0, 1, 2, 3])
})

test('a lane that nobody waited for is free for the next', async () => {
  const lanes = createLanes(1, 0)
  expect(await lanes.enter()).toBe(true)
  lanes.leave()
  expect(await lanes.enter()).toBe(true)
})

test('whoever comes when too many wait is turned away, and those who wait still pass', async () => {
  const lanes = createLanes(1, 1)
  const [, waits, tooLate] = [lanes.enter(), lanes.enter(), lanes.enter()]
  expect(await tooLate).toBe(false)
  lanes.leave()
  expect(await waits).toBe(true)
})

test('once closed nobody passes, neither who waits nor who comes', async () => {
  const lanes = createLanes(1, 5)
  const [first, ...others] = [lanes.enter(), lanes.enter(), lanes.enter()]
  lanes.close()
  expect(await Promise.all([first, ...others])).toEqual([true, false, false])
  lanes.leave()
  expect(await lanes.enter()).toBe(false)
})
