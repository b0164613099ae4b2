/** Planned maintenance as people type it. The tests of the page about windows cover mistakes. */
import { describe, expect, test } from 'bun:test'
import { newPlan, readPlan, typedPlan } from '../../../src/domain/silence/typed-plan.ts'
import { Temporal } from '../../../src/lib/time.ts'

const TZ = 'Europe/Riga'
const at = (text: string) => Temporal.Instant.from(text)
const TUESDAY = at('2026-11-24T12:00:00Z')
const timesOf = (plan: Parameters<typeof readPlan>[0], now = TUESDAY) => readPlan(plan, now, TZ, null).times

describe('a new plan', () => {
  test.each([
    ['2026-11-24T12:00:00Z', '2026-11-28'],
    ['2026-11-28T19:59:00Z', '2026-11-28'],
    ['2026-11-28T20:01:00Z', '2026-12-05'],
    ['2026-11-28T22:30:00Z', '2026-12-05'],
  ])('at %s is for Saturday, %s', (now, day) => {
    expect(newPlan(at(now), TZ)).toMatchObject({ startDay: day, endDay: day })
  })

  test('is from 22:00 to midnight of the reader', () => {
    const { startsAt, endsAt } = timesOf(newPlan(TUESDAY, TZ)) ?? {}
    expect([startsAt, endsAt].map(String)).toEqual(['2026-11-28T20:00:00Z', '2026-11-28T22:00:00Z'])
  })

  test('across a change of the clocks lasts as long as its times say', () => {
    const night = { startDay: '2026-10-24', startTime: '22:00', endDay: '2026-10-25', endTime: '06:00' }
    const { startsAt, endsAt } = timesOf({ ...newPlan(TUESDAY, TZ), ...night }, at('2026-10-20T12:00:00Z')) ?? {}
    expect(endsAt && startsAt?.until(endsAt).total('hours')).toBe(9)
  })
})

test.each([
  ['2199-12-31', '2199-12-31T22:00:00Z', {}],
  ['2200-01-01', undefined, { lastDay: 'This is too far ahead. Choose a day before 2199, or leave it empty.' }],
  ['2999-12-31', undefined, { lastDay: 'This is too far ahead. Choose a day before 2199, or leave it empty.' }],
] as const)('a last day is only accepted if files can contain its end: %s', (lastDay, end, expected) => {
  const window = { from: 'Sat 22:00', until: '24:00', tz: TZ }
  const { times, mistakes } = readPlan({ ...newPlan(TUESDAY, TZ), kind: 'again', window, lastDay }, TUESDAY, TZ, null)
  expect(times?.endsAt?.toString()).toBe(end)
  expect(mistakes).toEqual(expected)
})

describe('stored times', () => {
  const window = { schedule: '0 22 * * 6', tz: TZ, seconds: 7_200 }
  const weekly = { startsAt: at('2026-11-01T00:00:00Z'), endsAt: null, untilHealthy: false, window }

  test.each([
    ['of a window', weekly],
    ['of a window with a last day', { ...weekly, endsAt: at('2026-12-05T22:00:00Z') }],
    ['of a window that ends within a day', { ...weekly, endsAt: at('2026-12-05T21:00:01Z') }],
    ['of one window', { ...weekly, endsAt: at('2026-12-05T21:00:01Z'), window: null }],
  ])('%s are the same after they were shown and read', (_, times) => {
    expect(readPlan(typedPlan(times, TUESDAY, TZ), TUESDAY, TZ, times).times).toEqual(times)
  })

  test('lose their end if the last day is emptied', () => {
    const ending = { ...weekly, endsAt: at('2026-12-05T22:00:00Z') }
    const typed = { ...typedPlan(ending, TUESDAY, TZ), lastDay: '' }
    expect(readPlan(typed, TUESDAY, TZ, ending).times).toEqual(weekly)
  })

  test('end with the last window as it is typed, not as it was', () => {
    const ending = { ...weekly, endsAt: at('2026-12-05T22:00:00Z') }
    const typed = typedPlan(ending, TUESDAY, TZ)
    const longer = { ...typed, window: { ...typed.window, until: '02:00' } }
    expect(readPlan(longer, TUESDAY, TZ, ending).times?.endsAt?.toString()).toBe('2026-12-06T00:00:00Z')
  })

  test('of a repeated window become one window, and one window is repeated from now on', () => {
    const once = { ...typedPlan(weekly, TUESDAY, TZ), kind: 'once' } as const
    expect(readPlan(once, TUESDAY, TZ, weekly).times).toMatchObject({
      window: null,
      startsAt: at('2026-11-28T20:00:00Z'),
    })
    const single = { ...weekly, endsAt: at('2026-12-05T21:00:00Z'), window: null }
    const again = {
      ...typedPlan(single, TUESDAY, TZ),
      kind: 'again',
      window: { from: '22:00', until: '24:00', tz: TZ },
    } as const
    expect(readPlan(again, TUESDAY, TZ, single).times).toMatchObject({ startsAt: TUESDAY, endsAt: null })
  })
})
