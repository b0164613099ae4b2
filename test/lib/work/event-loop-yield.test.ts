/** Steps of work that yield to others. */
import { expect, test } from 'bun:test'
import { EventLoopYield, inAsyncSteps, inSteps } from '../../../src/lib/work/event-loop-yield.ts'

test('steps run one at a time, in the order of the calls', async () => {
  const eventLoop = new EventLoopYield()
  const gate = Promise.withResolvers<void>()
  const heard: string[] = []
  const first = eventLoop.step(async () => {
    heard.push('first begins')
    await gate.promise
    heard.push('first ends')
  })
  const second = eventLoop.step(async () => {
    heard.push('second')
    return 2
  })
  gate.resolve()
  expect([await first, await second]).toEqual([undefined, 2])
  expect(heard).toEqual(['first begins', 'first ends', 'second'])
})

test('a failing step rejects for its caller, and the next one runs', async () => {
  const eventLoop = new EventLoopYield()
  const failing = eventLoop.step(() => Promise.reject(new Error('a mistake')))
  const next = eventLoop.step(async () => 'done')
  await expect(failing).rejects.toThrow('a mistake')
  expect(await next).toBe('done')
})

test('other work gets turns between two steps', async () => {
  const eventLoop = new EventLoopYield()
  const heard: string[] = []
  const busy = async () => {
    const until = performance.now() + 5
    while (performance.now() < until);
    heard.push('step')
  }
  const steps = [eventLoop.step(busy), eventLoop.step(busy), eventLoop.step(busy)]
  setImmediate(() => heard.push('other'))
  await Promise.all(steps)
  expect(heard).toEqual(['step', 'other', 'step', 'step'])
})

test('work that yields is a step from each yield to the next', async () => {
  const done: string[] = []
  function* work() {
    for (const part of ['a', 'b', 'c']) {
      done.push(part)
      yield
    }
    return done.length
  }
  const steps: string[] = []
  const step = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = await run()
    steps.push(done.join(''))
    return result
  }
  expect(await inSteps({ step }, work())).toBe(3)
  expect(steps).toEqual(['a', 'ab', 'abc', 'abc'])
  expect(await inSteps({ step }, work(), 60_000)).toBe(6)
  expect(steps).toHaveLength(5)
})

test('so is work that waits for something else in between', async () => {
  async function* work() {
    for (const part of ['a', 'b', 'c']) {
      await Promise.resolve(part)
      yield
    }
    return 'done'
  }
  let steps = 0
  const step = <Result>(run: () => Promise<Result>): Promise<Result> => {
    steps += 1
    return run()
  }
  expect(await inAsyncSteps({ step }, work())).toBe('done')
  expect(steps).toBe(4)
  expect(await inAsyncSteps({ step }, work(), 60_000)).toBe('done')
  expect(steps).toBe(5)
})
