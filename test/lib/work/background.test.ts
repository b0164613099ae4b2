import { expect, test } from 'bun:test'
import { createBackground } from '../../../src/lib/work/background.ts'

test('work begins at once, and a drain waits for all of it, what it starts meanwhile included', async () => {
  const background = createBackground()
  const done: string[] = []
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  background.run(async () => {
    done.push('begun')
    await first.promise
    background.run(async () => {
      await second.promise
      done.push('second')
    })
    done.push('first')
  })
  expect(done).toEqual(['begun'])
  const drained = background.drain().then(() => done.push('drained'))
  first.resolve()
  await first.promise
  second.resolve()
  await drained
  expect(done).toEqual(['begun', 'first', 'second', 'drained'])
})

test('a drain without work ends at once', async () => {
  expect(await createBackground().drain()).toBeUndefined()
})

test('work after a pause begins when the pause is over', async () => {
  const background = createBackground()
  const begun = Promise.withResolvers<void>()
  background.runAfter(0, async () => begun.resolve())
  expect(await begun.promise).toBeUndefined()
})

test('a drain ends the pauses, also of what is added meanwhile', async () => {
  const background = createBackground()
  const done: string[] = []
  background.runAfter(3_600, async () => {
    done.push('first')
    background.runAfter(3_600, async () => void done.push('second'))
  })
  expect(done).toEqual([])
  await background.drain()
  expect(done).toEqual(['first', 'second'])
})
