import { expect, test } from 'bun:test'
import { createJoined } from '../../../src/store/revisions/joined.ts'

/** Work that ends when the test says so. */
function gated() {
  const runs: PromiseWithResolvers<number>[] = []
  const joined = createJoined(() => {
    const run = Promise.withResolvers<number>()
    runs.push(run)
    return run.promise
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return { runs, joined, turn }
}

test('those who ask while it runs share the run that follows', async () => {
  const { runs, joined, turn } = gated()
  const first = joined()
  await turn()
  const [second, third] = [joined(), joined()]
  await turn()
  expect(runs).toHaveLength(1)
  runs[0]?.resolve(1)
  await turn()
  expect(runs).toHaveLength(2)
  runs[1]?.resolve(2)
  expect(await Promise.all([first, second, third])).toEqual([1, 2, 2])
})

test('a run that fails fails for those who share it, and the next one begins', async () => {
  const { runs, joined, turn } = gated()
  const failing = [joined(), joined()]
  await turn()
  const next = joined()
  runs[0]?.reject(new Error('lost'))
  const settled = await Promise.allSettled(failing)
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await turn()
  runs[1]?.resolve(2)
  expect(await next).toBe(2)
})
