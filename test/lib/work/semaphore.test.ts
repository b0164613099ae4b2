/** Acquiring the semaphore, and waiting for it. */
import { expect, test } from 'bun:test'
import { createSemaphore } from '../../../src/lib/work/semaphore.ts'

test('as many acquire it as there are slots, the others in order as slots become free', async () => {
  const connections = createSemaphore(2, 10)
  const passed: number[] = []
  const enter = async (nth: number) => void ((await connections.acquire()) && passed.push(nth))
  const entering = [0, 1, 2, 3].map(enter)
  await Promise.all(entering.slice(0, 2))
  expect(passed).toEqual([0, 1])
  connections.release()
  await entering[2]
  expect(passed).toEqual([0, 1, 2])
  connections.release()
  await entering[3]
  expect(passed).toEqual([0, 1, 2, 3])
})

test('a slot that nobody waited for is free for the next caller', async () => {
  const connections = createSemaphore(1, 0)
  expect(await connections.acquire()).toBe(true)
  connections.release()
  expect(await connections.acquire()).toBe(true)
})

test('a caller is refused when too many wait, and those who wait still acquire it', async () => {
  const connections = createSemaphore(1, 1)
  const [, waits, tooLate] = [connections.acquire(), connections.acquire(), connections.acquire()]
  expect(await tooLate).toBe(false)
  connections.release()
  expect(await waits).toBe(true)
})

test('once closed nobody acquires it, neither waiting nor new callers', async () => {
  const connections = createSemaphore(1, 5)
  const [first, ...others] = [connections.acquire(), connections.acquire(), connections.acquire()]
  connections.close()
  expect(await Promise.all([first, ...others])).toEqual([true, false, false])
  connections.release()
  expect(await connections.acquire()).toBe(false)
})

test('whoever has waited as long as it may is refused, and the slot goes to the next', async () => {
  const connections = createSemaphore(1, 2)
  await connections.acquire()
  const patient = connections.acquire()
  expect(await connections.acquire(1)).toBe(false)
  const next = connections.acquire(60_000)
  connections.release()
  expect(await patient).toBe(true)
  connections.release()
  expect(await next).toBe(true)
})
