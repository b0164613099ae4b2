/** Fifty random nights: the sentence of the page agrees with the generated events. The clock begins on a Wednesday at noon in UTC. */
import { afterEach, expect, test } from 'bun:test'
import { operatorIn } from '../../../../../src/domain/actor.ts'
import type { Check } from '../../../../../src/domain/check/check.ts'
import { Temporal } from '../../../../../src/lib/time.ts'
import { upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { flipOverdue } from '../../../../../src/services/pings/flips.ts'
import { memberWith } from '../../../../support/browser.ts'
import { wordsOf } from '../../../../support/page-words.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

let t: TestApp
afterEach(() => t.close())

const HOURS = [18, 20, 23, 0, 2, 5]
const NIGHTS = 50
const MADE = ['ran', 'late', 'failed', 'repeated', 'missing'] as const
type Made = (typeof MADE)[number]

/** Returns numbers from 0 to 1, always the same. */
function chances(): () => number {
  let state = 7
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** Returns pings by the minutes after the slot; the grace time is an hour. */
function pingsOf(made: Made, chance: () => number): readonly (readonly [minutes: number, action: string])[] {
  const soon = Math.floor(chance() * 50)
  if (made === 'ran') return [[soon, '']]
  if (made === 'late') return [[61 + soon / 2, '']]
  if (made === 'failed') return [[soon, '/fail']]
  return made === 'repeated'
    ? [
        [soon, '/fail'],
        [soon + 5, ''],
      ]
    : []
}

test('the sentence of fifty random nights says what happened', async () => {
  t = await testApp()
  const chance = chances()
  const checks: Check[] = []
  for (const hour of HOURS) {
    const spec = {
      name: `At ${hour}`,
      kind: 'cron',
      schedule: `0 ${hour} * * *`,
      tz: 'UTC',
      graceSeconds: 3_600,
    } as const
    const { check } = await upsertCheck(t.app.deps, operatorIn(t.project), spec, true)
    await t.call('POST', `/ping/${check.id}`)
    checks.push(check)
  }
  const reader = await memberWith(t, 'member')
  for (let night = 0; night < NIGHTS; night++) {
    const evening = Temporal.Instant.from('2026-03-04T18:00:00Z').add({ hours: 24 * night })
    const made = HOURS.map((hour) => ({ hour, as: MADE[Math.floor(chance() * MADE.length)] ?? 'ran' }))
    const pings = made.flatMap(({ hour, as }, index) =>
      pingsOf(as, chance).map(([minutes, action]) => ({
        at: evening.add({ minutes: ((hour + 6) % 24) * 60 + Math.floor(minutes) }),
        path: `/ping/${checks[index]?.id}${action}`,
      })),
    )
    for (const { at, path } of pings.toSorted((a, b) => Temporal.Instant.compare(a.at, b.at))) {
      t.clock.set(String(at))
      await flipOverdue(t.app.deps, t.clock.now())
      await t.call('POST', path)
    }
    t.clock.set(String(evening.add({ hours: 14, minutes: 30 })))
    await flipOverdue(t.app.deps, t.clock.now())
    const number = (...wanted: readonly Made[]) => made.filter(({ as }) => wanted.includes(as)).length
    const [ran, missing, failed] = [number('ran', 'late', 'repeated'), number('missing'), number('failed')]
    const wrong = [...(missing > 0 ? [`${missing} missing`] : []), ...(failed > 0 ? [`${failed} failed`] : [])].join(
      ', ',
    )
    const said = wordsOf(/<p class="sum">([\s\S]*?)<\/b>/.exec((await reader.get('/night')).text)?.[1] ?? '')
    expect({ night, said }).toEqual({ night, said: wrong === '' ? 'All 6 ran.' : `${ran} of 6 ran; ${wrong}.` })
  }
})
