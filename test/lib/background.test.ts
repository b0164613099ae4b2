import { expect, test } from 'bun:test'
import { createBackground } from '../../src/lib/background.ts'

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
