import { expect, test } from 'bun:test'
import { createMemoryWatch } from '../../../src/services/server/memory.ts'
import { testApp } from '../../support/test-app.ts'

test('after many pings the memory is given back once, when few come', async () => {
  const t = await testApp()
  const { deps } = t.app
  const done: string[] = []
  let seconds = 0
  const watch = createMemoryWatch({
    measurements: deps.measurements,
    stopwatch: () => seconds,
    ownProcess: { ...deps.ownProcess, collectGarbage: () => done.push('garbage') },
    store: { ...deps.store, server: { ...deps.store.server, cache: (caching) => done.push(caching) } },
  })
  const doneWithin = (duration: number, pingsASecond: number) => {
    for (let second = 0; second < duration; second += 1) {
      seconds += 1
      deps.measurements.pings.ok += pingsASecond
      watch()
    }
    return done.splice(0)
  }
  expect(doneWithin(3, 0)).toEqual(['little', 'garbage'])
  expect(doneWithin(60, 99)).toEqual([])
  expect(doneWithin(60, 5_000)).toEqual(['much'])
  expect(doneWithin(2, 0)).toEqual([])
  expect(doneWithin(60, 5_000)).toEqual([])
  expect(doneWithin(3, 10)).toEqual(['little', 'garbage'])
  expect(doneWithin(60, 0)).toEqual([])
  await t.close()
})
