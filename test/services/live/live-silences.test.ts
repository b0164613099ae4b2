/** Checks that are muted by the passing of time alone, and the silences that are read for them. */
import { afterEach, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { LiveSilences } from '../../../src/services/live/live-silences.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
afterEach(() => t.close())

test('a silence by a ping URL turns its check alone, and an edit reads those of the edited checks alone', async () => {
  t = await testApp()
  const check = async (name: string) => (await upsertCheck(t.app.deps, t.actor, { name }, false)).check
  const [job, other, third] = [await check('a'), await check('b'), await check('c')]
  const checks = [job, other, third]
  const ask = ({ id }: Check, duration: string) => t.call('GET', `/ping/${id}/silence?for=${duration}`)
  const silences = new LiveSilences(t.project.id)
  const start = t.clock.now()
  await ask(job, '20m')
  await silences.readAll(t.app.deps, start)
  const end = start.add({ minutes: 20 })
  expect(silences.next).toBe(end.epochMilliseconds)
  expect(silences.turnedSince(start, end, checks)).toEqual([job.id])
  await ask(other, '5m')
  await ask(third, '10m')
  await silences.read(t.app.deps, [third.id], start)
  expect(silences.next).toBe(start.add({ minutes: 10 }).epochMilliseconds)
  expect(silences.turnedSince(start, end, checks)).toEqual([job.id, third.id])
})
