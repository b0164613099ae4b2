/** The calendar of planned silences. */
import { describe, expect, test } from 'bun:test'
import { calendarOf, isPlanned } from '../../../src/domain/silence/calendar.ts'
import { occurrencesOf, type Silence } from '../../../src/domain/silence/silence.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { aSilence } from '../../support/builders.ts'

const at = (text: string) => Temporal.Instant.from(`2026-11-${text}:00Z`)
const NOW = at('24T12:00')
const UNTIL = at('30T00:00')
const repeated = (schedule: string, seconds: number, given: Partial<Silence> = {}) =>
  aSilence({ startsAt: NOW, endsAt: null, createdAt: NOW, window: { schedule, tz: 'UTC', seconds }, ...given })
const startsOf = (silence: Silence, limit = 10) =>
  occurrencesOf(silence, NOW, UNTIL, limit).map(({ startsAt }) => String(startsAt).slice(8, 16))

describe('the occurrences of a silence', () => {
  test('are those of its window, from the present one up to a day', () => {
    expect(startsOf(repeated('0 11 * * 2,6', 7_200))).toEqual(['24T12:00', '28T11:00'])
    expect(startsOf(repeated('0 22 * * *', 3_600), 2)).toEqual(['24T22:00', '25T22:00'])
  })

  test('end with it', () => {
    const endsEarly = repeated('0 22 * * *', 7_200, { endsAt: at('24T23:00') })
    const [last] = occurrencesOf(endsEarly, NOW, null, 10)
    expect(String(last?.endsAt)).toBe('2026-11-24T23:00:00Z')
    expect(occurrencesOf(endsEarly, at('24T23:00'), null, 10)).toEqual([])
  })

  test('overlap, if the window begins again before it ends, also those that had begun before its start', () => {
    const found = occurrencesOf(repeated('0 10,11,13 * * *', 9_000), NOW, null, 4)
    expect(found.map(({ startsAt, endsAt }) => [startsAt, endsAt].map((one) => String(one).slice(8, 16)))).toEqual([
      ['24T12:00', '24T12:30'],
      ['24T12:00', '24T13:30'],
      ['24T13:00', '24T15:30'],
      ['25T10:00', '25T12:30'],
    ])
  })

  test('are one, if it is not repeated', () => {
    const once = (day: string) => aSilence({ startsAt: at(`${day}T22:00`), endsAt: at(`${day}T23:00`), window: null })
    expect(startsOf(once('28'))).toEqual(['28T22:00'])
    expect(startsOf(once('30'))).toEqual([])
  })
})

test('a mute that began when it was created was not planned', () => {
  const once = { createdAt: NOW, window: null, endsAt: UNTIL }
  expect(isPlanned(aSilence({ ...once, startsAt: NOW }))).toBe(false)
  expect(isPlanned(aSilence({ ...once, startsAt: at('24T13:00') }))).toBe(true)
  expect(isPlanned(repeated('0 22 * * *', 60))).toBe(true)
})

describe('a calendar', () => {
  const calendar = (limit: number, ofEach: number) => {
    const silences = [repeated('0 22 * * *', 7_200), repeated('0 23 * * *', 7_200)]
    const each = silences.map((silence) =>
      occurrencesOf(silence, NOW, UNTIL, ofEach).map((one) => ({ silence, ...one })),
    )
    const { occurrences, until, isCut } = calendarOf(each, UNTIL, ofEach, limit)
    return { starts: occurrences.map(({ startsAt }) => String(startsAt).slice(8, 13)), until: String(until), isCut }
  }

  test('has all occurrences in order, also those that overlap', () => {
    const { starts, until, isCut } = calendar(50, 50)
    expect(starts.slice(0, 4)).toEqual(['24T22', '24T23', '25T22', '25T23'])
    expect([starts.length, until, isCut]).toEqual([12, String(UNTIL), false])
  })

  test('says up to when it is complete, if there are too many', () => {
    expect(calendar(3, 50)).toEqual({ starts: ['24T22', '24T23', '25T22'], until: '2026-11-25T23:00:00Z', isCut: true })
    expect(calendar(50, 2)).toEqual({ starts: ['24T22', '24T23'], until: '2026-11-25T22:00:00Z', isCut: true })
  })
})
