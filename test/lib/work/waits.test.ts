import { expect, test } from 'bun:test'
import { unlessStopped, withDeadline } from '../../../src/lib/work/waits.ts'
import { rejection } from '../../support/store-builders.ts'

const never = new Promise<never>(() => {})
const error = () => new Error('enough')

test('what comes in time is the result, also when it is an error', async () => {
  expect(await withDeadline(60_000, Promise.resolve(1), error)).toBe(1)
  expect(String(await rejection(withDeadline(60_000, Promise.reject(new Error('no')), error)))).toBe('Error: no')
  const { signal } = new AbortController()
  expect(await unlessStopped(signal, Promise.resolve(1), error)).toBe(1)
})

test('a wait ends after its time', async () => {
  expect(String(await rejection(withDeadline(1, never, error)))).toBe('Error: enough')
})

test('a wait ends with its signal, and does not begin after it', async () => {
  const stop = new AbortController()
  const wait = rejection(unlessStopped(stop.signal, never, error))
  stop.abort()
  expect(String(await wait)).toBe('Error: enough')
  expect(String(await rejection(unlessStopped(stop.signal, never, error)))).toBe('Error: enough')
})
