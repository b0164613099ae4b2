/** Pictures beside advice. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Advice } from '../../../../../src/domain/advice/advice.ts'
import type { Check } from '../../../../../src/domain/check/check.ts'
import { addSeconds } from '../../../../../src/lib/time.ts'
import { upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { createSilence } from '../../../../../src/services/silences/silences.ts'
import { ZONE } from '../../../../support/advice.ts'
import { type Browser, memberWith } from '../../../../support/browser.ts'
import { daysOf, RHYTHM_JOBS, type RhythmJob } from '../../../../support/rhythm-jobs.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const NOW = '2026-11-17T07:42:00Z'

let t: TestApp
let reader: Browser
beforeEach(async () => {
  t = await testApp()
  t.clock.set(NOW)
  reader = await memberWith(t, 'read-only')
})
afterEach(() => t.close())

/** Stores the result of a look: advice on a job, and the counts of its days. */
async function looked({ name, settings, ...job }: RhythmJob, advice: Advice, called: string = name): Promise<Check> {
  const { schedule = '', tz = 'UTC', graceSeconds: grace = 3_600 } = settings
  t.clock.set('2026-09-01T00:00:00Z')
  const { check } = await upsertCheck(t.app.deps, t.actor, { name: called, schedule, tz, grace }, false)
  t.clock.set(NOW)
  const { store } = t.app.deps
  const now = t.clock.now()
  const claimed = await store.advice.claimLook(check.id, addSeconds(now, 60))
  if (!claimed) throw new Error('nobody looks at this check')
  const days = daysOf({ name, settings, ...job })
  const look = {
    claimed,
    lookedN: 0,
    advice: [advice],
    days,
    oldestDay: '',
    lookAfter: addSeconds(now, 86_400),
  }
  await store.advice.writeLooks([look], now)
  return check
}

const page = async () => (await reader.get('/p/tests/advice')).text
const proofs = (text: string) => [...text.matchAll(/<svg class="rhythm proof"[\s\S]*?<\/svg>/g)].map(([svg]) => svg)

test('show the rhythm of a check, in words too, and of no advice that is not about runs', async () => {
  await looked(RHYTHM_JOBS.shifted, ZONE)
  await looked(RHYTHM_JOBS.slow, { ...ZONE, kind: 'untold', variant: 'none', fix: { do: 'ask', about: 'channels' } })
  const [proof = '', ...others] = proofs(await page())
  expect(others).toEqual([])
  expect(proof).toContain('viewBox="0 0 150 44" role="img" aria-label="Wholesale price list, 30 days: every run ')
  expect(proof).not.toContain('<text')
})

test('show on which days the check was muted, in words too', async () => {
  const check = await looked(RHYTHM_JOBS.shifted, ZONE)
  await looked(RHYTHM_JOBS.healthy, ZONE)
  const window = {
    startsAt: addSeconds(t.clock.now(), -86_400),
    endsAt: t.clock.now(),
    untilHealthy: false,
    window: null,
  }
  const wanted = { ...window, match: { checks: [check.id], tags: [] }, upTo: 'down', reason: '' } as const
  await createSilence(t.app.deps, t.actor, wanted)
  const [muted, ...others] = proofs(await page()).filter((proof) => proof.includes('Muted'))
  expect(others).toEqual([])
  expect(muted).toContain('Muted for a part of 2 days."')
  expect(muted).toContain('<path class="mu" d="M140 0.5H150M140 2.5H150"/>')
})

test('of fifty checks weigh less than 50 kB, and there are no more of them on a page', async () => {
  const jobs = Object.values(RHYTHM_JOBS)
  for (let index = 0; index < 52; index++) {
    const job = jobs[index % jobs.length] ?? RHYTHM_JOBS.slow
    // A different fix for each, so that no two are grouped.
    await looked(job, { ...ZONE, fix: { do: 'set', settings: { grace: 60 * (index + 1) } } }, `Job ${index}`)
  }
  const drawn = proofs(await page())
  expect(drawn).toHaveLength(50)
  expect(drawn.join('').length).toBeLessThan(50_000)
  expect(Math.max(...drawn.map((each) => each.length))).toBeLessThan(1_500)
})
