/** Steps of work that let others have their turn. */
import { expect, test } from 'bun:test'
import { Pace } from '../../src/services/pace.ts'

test('steps are done one at a time, in the order in which they were asked for', async () => {
  const pace = new Pace()
  const gate = Promise.withResolvers<void>()
  const heard: string[] = []
  const first = pace.step(async () => {
    heard.push('first begins')
    await gate.promise
    heard.push('first ends')
  })
  const second = pace.step(async () => {
    heard.push('second')
    return 2
  })
  gate.resolve()
  expect([await first, await second]).toEqual([undefined, 2])
  expect(heard).toEqual(['first begins', 'first ends', 'second'])
})

test('a step that fails tells who asked for it, and the next is done', async () => {
  const pace = new Pace()
  const failing = pace.step(() => Promise.reject(new Error('a mistake')))
  const next = pace.step(async () => 'done')
  await expect(failing).rejects.toThrow('a mistake')
  expect(await next).toBe('done')
})

test('between two steps there are turns for others', async () => {
  const pace = new Pace()
  const heard: string[] = []
  const busy = async () => {
    const until = performance.now() + 5
    while (performance.now() < until);
    heard.push('step')
  }
  const steps = [pace.step(busy), pace.step(busy), pace.step(busy)]
  setImmediate(() => heard.push('other'))
  await Promise.all(steps)
  expect(heard).toEqual(['step', 'other', 'step', 'step'])
})
