/** Periods in which a check was muted, for pictures of its past. */
import { describe, expect, test } from 'bun:test'
import { mergedWithin, mutedStretches, silencesByCheck } from '../../../src/domain/silence/muted-stretch.ts'
import { endSilence, type Silence, type SilencedCheck } from '../../../src/domain/silence/silence.ts'
import { Temporal } from '../../../src/lib/time.ts'

const at = (time: string) => Temporal.Instant.from(`2026-05-12T${time}:00Z`)
const ms = (time: string) => at(time).epochMilliseconds
const NIGHT = { from: ms('02:00'), until: ms('08:00') }

const CHECK: SilencedCheck = { id: 'job', projectId: 'shop', tags: 'db prod', lastSuccessAt: null }

const silence = (from: string, until: string, over: Partial<Silence> = {}): Silence => ({
  ...{ id: `${from} ${until}`, projectId: 'shop', match: { checks: [], tags: [] } },
  ...{ startsAt: at(from), endsAt: at(until), untilHealthy: false, window: null, upTo: 'down', reason: '' },
  ...{ createdAt: at(from), createdBy: null },
  ...over,
})

const shown = (silences: readonly Silence[], check = CHECK, firstSuccess: number | null = null) =>
  mutedStretches(silences, check, NIGHT, () => firstSuccess).map(({ from, until }) =>
    [from, until].map((moment) => new Date(moment).toISOString().slice(11, 16)).join(' '),
  )

describe('a check was muted', () => {
  test('by what reaches into the time that is shown, whole, the first to begin first', () => {
    const outside = [silence('00:00', '02:00'), silence('08:00', '09:00')]
    expect(shown([silence('07:00', '09:00'), ...outside, silence('01:00', '03:00')])).toEqual([
      '01:00 03:00',
      '07:00 09:00',
    ])
  })

  test('by silences that name it, its tags or nothing', () => {
    const matching = [
      { checks: ['job'], tags: [] },
      { checks: [], tags: ['db'] },
    ]
    for (const match of matching) expect(shown([silence('03:00', '04:00', { match })])).toHaveLength(1)
    const others = [
      { checks: ['other'], tags: [] },
      { checks: [], tags: ['d'] },
      { checks: ['job'], tags: ['web'] },
    ]
    for (const match of others) expect(shown([silence('03:00', '04:00', { match })])).toEqual([])
    expect(shown([silence('03:00', '04:00', { projectId: 'other' })])).toEqual([])
  })

  test('within each window of one that comes again, from when it was made until somebody ended it', () => {
    const window = { schedule: '0 1-7/2 * * *', tz: 'UTC', seconds: 5_400 }
    const nightly = silence('00:00', '00:00', { endsAt: null, window })
    expect(shown([nightly])).toEqual(['01:00 02:30', '03:00 04:30', '05:00 06:30', '07:00 08:30'])
    expect(shown([endSilence({ ...nightly, startsAt: at('03:10') }, at('05:10'))])).toEqual([
      '03:10 04:30',
      '05:00 05:10',
    ])
  })

  test.each([
    ['0 * * * *', 1_800],
    ['*/2 * * * *', 60],
    ['0,20 3 * * *', 600],
  ])('on each of thirteen weeks of days with windows, "%s" for %d s', (schedule, seconds) => {
    const day = 86_400_000
    const within = { from: at('00:00').epochMilliseconds, until: at('00:00').epochMilliseconds + 91 * day }
    const hourly = silence('00:00', '00:00', { endsAt: null, window: { schedule, tz: 'UTC', seconds } })
    const found = mutedStretches([hourly], CHECK, within, () => null)
    expect(new Set(found.map(({ from }) => Math.floor((from - within.from) / day))).size).toBe(91)
    expect(found.length).toBeLessThanOrEqual(200)
    expect(new Set(found.map(({ from, until }) => until - from))).toEqual(new Set([seconds * 1_000]))
  })

  test('not by what holds warnings alone, nor by what was ended before it began', () => {
    expect(shown([silence('03:00', '04:00', { upTo: 'warning' })])).toEqual([])
    expect(shown([endSilence(silence('03:00', '04:00'), at('02:30'))])).toEqual([])
    expect(shown([endSilence(silence('03:00', '04:00'), at('03:10'))])).toEqual(['03:00 03:10'])
  })

  test('until its first success after that, if that was the end of it', () => {
    const untilHealthy = silence('03:00', '07:00', { untilHealthy: true })
    const healthy = { ...CHECK, lastSuccessAt: at('06:00') }
    expect(shown([untilHealthy])).toEqual(['03:00 07:00'])
    expect(shown([untilHealthy], { ...CHECK, lastSuccessAt: at('03:00') })).toEqual(['03:00 07:00'])
    expect(shown([untilHealthy], healthy, ms('04:00'))).toEqual(['03:00 04:00'])
    expect(shown([untilHealthy], healthy, null)).toEqual(['03:00 06:00'])
    expect(shown([untilHealthy], { ...CHECK, lastSuccessAt: at('07:30') }, ms('07:30'))).toEqual(['03:00 07:00'])
    expect(shown([silence('03:00', '07:00')], healthy, ms('04:00'))).toEqual(['03:00 07:00'])
  })
})

test('a check is asked only about silences that name it or none', () => {
  const [one, two, all] = [
    silence('03:00', '04:00', { match: { checks: ['job', 'other'], tags: [] } }),
    silence('04:00', '05:00', { match: { checks: ['other'], tags: [] } }),
    silence('05:00', '06:00', { match: { checks: [], tags: ['db'] } }),
  ]
  const of = silencesByCheck([one, two, all])
  expect([of('job'), of('other'), of('third')]).toEqual([[one, all], [one, two, all], [all]])
})

test('stretches that overlap are one, which is infinite where it goes on beyond the time', () => {
  const stretch = (from: string, until: string) => ({ from: ms(from), until: ms(until) })
  expect(
    mergedWithin([stretch('04:00', '05:00'), stretch('03:00', '04:00'), stretch('03:10', '03:20')], NIGHT),
  ).toEqual([stretch('03:00', '05:00')])
  expect(mergedWithin([stretch('02:00', '03:00'), stretch('04:00', '08:00')], NIGHT)).toEqual([
    { from: Number.NEGATIVE_INFINITY, until: ms('03:00') },
    { from: ms('04:00'), until: Number.POSITIVE_INFINITY },
  ])
})
