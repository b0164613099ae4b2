import { expect, test } from 'bun:test'
import { Mutex } from '../../../../src/store/engine/sqlite/mutex.ts'
import { rejection } from '../../../support/store-builders.ts'

test('work runs one piece at a time, in the order of the calls', async () => {
  const mutex = new Mutex()
  const events: string[] = []
  const work = (name: string, turns: number) =>
    mutex.exclusive(async () => {
      events.push(`${name} begins`)
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
      events.push(`${name} ends`)
      return name
    })
  expect(await Promise.all([work('long', 20), work('none', 0), work('short', 3)])).toEqual(['long', 'none', 'short'])
  expect(events).toEqual(['long begins', 'long ends', 'none begins', 'none ends', 'short begins', 'short ends'])
})

test('failing work, by a throw or a rejection, rejects for its caller and does not stop other work', async () => {
  const mutex = new Mutex()
  const rejected = mutex.exclusive(() => Promise.reject(new Error('rejected')))
  const thrown = mutex.exclusive(() => {
    throw new Error('thrown')
  })
  const after = mutex.exclusive(async () => 'done')
  expect(await rejection(rejected)).toHaveProperty('message', 'rejected')
  expect(await rejection(thrown)).toHaveProperty('message', 'thrown')
  expect(await after).toBe('done')
})

test('work that is added during other work runs after it', async () => {
  const mutex = new Mutex()
  const gate = Promise.withResolvers<void>()
  let isOpen = false
  const first = mutex.exclusive(() => gate.promise)
  const second = mutex.exclusive(async () => isOpen)
  isOpen = true
  gate.resolve()
  await first
  expect(await second).toBe(true)
})
