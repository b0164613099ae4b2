import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createMemoryWatch } from '../../../src/services/server/memory.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let doneWithin: (duration: number, pingsASecond: number, share: number) => string[]

beforeEach(async () => {
  t = await testApp()
  const { deps } = t.app
  const done: string[] = []
  let seconds = 0
  let processor = 0
  const watch = createMemoryWatch({
    measurements: deps.measurements,
    stopwatch: () => seconds,
    ownProcess: { ...deps.ownProcess, cpuSeconds: () => processor, collectGarbage: () => done.push('garbage') },
    store: { ...deps.store, server: { ...deps.store.server, cache: (caching) => done.push(caching) } },
  })
  doneWithin = (duration, pingsASecond, share) => {
    for (let second = 0; second < duration; second += 1) {
      seconds += 1
      processor += share
      deps.measurements.pings.ok += pingsASecond
      watch()
    }
    return done.splice(0)
  }
})

afterEach(() => t.close())

test('memory is given back when many pings have come, and again when the work that follows them has ended', () => {
  expect(doneWithin(3, 0, 0)).toEqual(['little', 'garbage'])
  expect(doneWithin(60, 99, 0.1)).toEqual([])
  expect(doneWithin(60, 5_000, 0.9)).toEqual(['much'])
  expect(doneWithin(2, 0, 0.9)).toEqual([])
  expect(doneWithin(60, 5_000, 0.9)).toEqual([])
  expect(doneWithin(3, 10, 0.9)).toEqual(['little', 'garbage'])
  expect(doneWithin(60, 10, 0.9)).toEqual([])
  expect(doneWithin(3, 10, 0.1)).toEqual(['garbage'])
  expect(doneWithin(60, 0, 0)).toEqual([])
})

test('a burst of pings at each full minute gives back nothing', () => {
  expect(doneWithin(3, 0, 0)).toEqual(['little', 'garbage'])
  for (let minute = 0; minute < 10; minute += 1) {
    expect(doneWithin(4, 5_000, 0.9)).toEqual([])
    expect(doneWithin(56, 1, 0.1)).toEqual([])
  }
})
