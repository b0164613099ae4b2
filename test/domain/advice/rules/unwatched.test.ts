import { describe, expect, test } from 'bun:test'
import { advised, DAY, facts, HOUR, MINUTE, nightly, ping, START } from '../facts.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0'
const byHand = (at: number) => ping(at, { userAgent: FIREFOX, method: 'POST' })

describe('never pinged', () => {
  test('is said an hour after the check was created at the earliest', () => {
    const check = { kind: 'simple', timeoutSeconds: 60, graceSeconds: 60 } as const
    expect(advised(facts({ check }), START + 59 * MINUTE)).toEqual([])
    expect(advised(facts({ check }), START + 60 * MINUTE)).toEqual(['unwatched/never'])
  })

  test('waits for the first run after a change of settings', () => {
    const check = { changedAt: START + 2 * DAY }
    expect(advised(facts({ check }), START + 2 * DAY + HOUR)).toEqual([])
    expect(advised(facts({ check }), START + 2 * DAY + 4 * HOUR)).toEqual(['unwatched/never'])
  })

  test('is not said of a check whose log was cleared', () => {
    expect(advised(facts({ check: { wasPinged: true } }), START + DAY)).toEqual([])
  })

  test('is not said of pings that were refused, nor of a schedule without a run', () => {
    const refused = { count: 2, tail: '256', at: START + 3 * HOUR }
    expect(advised(facts({ refused }), START + DAY)).toEqual(['ignored/status'])
    const ended = { kind: 'oncalendar', schedule: '2026-01-01 03:00' } as const
    expect(advised(facts({ check: ended }), START + DAY)).toEqual(['text/ended'])
  })
})

describe('pinged only by hand', () => {
  const now = START + 2 * DAY

  test('is said after up to three such pings', () => {
    expect(advised(facts({ log: [1, 2, 3].map((hour) => byHand(START + hour * MINUTE)) }), now)).toEqual([
      'unwatched/by-hand',
    ])
    expect(advised(facts({ log: [1, 2, 3, 4].map((hour) => byHand(START + hour * MINUTE)) }), now)).toEqual([])
  })

  test('is not said before the next run is due', () => {
    expect(advised(facts({ log: [byHand(START)] }), START + 3 * HOUR)).toEqual([])
  })
})

describe('pinged once', () => {
  test('is said of a run with its start, two runs after the first that is missing', () => {
    const log = [ping(START + 3 * HOUR, { kind: 'start' }), ping(START + 3 * HOUR + 60_000, { duration: 60 })]
    expect(advised(facts({ log }), START + 3 * DAY + 3 * HOUR)).toEqual([])
    expect(advised(facts({ log }), START + 3 * DAY + 4 * HOUR)).toEqual(['unwatched/once'])
  })

  test('does not count a pause', () => {
    const away = [{ from: START + 4 * HOUR, until: START + 8 * DAY, why: 'pause' }] as const
    expect(advised(facts({ log: nightly(1), away }), START + 9 * DAY)).toEqual([])
  })
})

describe('paused and forgotten', () => {
  test('is not said of a monthly check after a week', () => {
    const check = { schedule: '0 3 1 * *', isPaused: true, pausedAt: START + DAY }
    expect(advised(facts({ check }), START + 9 * DAY)).toEqual([])
    expect(advised(facts({ check }), START + 70 * DAY)).toEqual(['unwatched/paused'])
  })

  test('is not said while nobody knows since when, and nothing is said to be missing either', () => {
    const check = { isPaused: true, pausedAt: null }
    expect(advised(facts({ check }), START + 400 * DAY)).toEqual([])
    expect(advised(facts({ check, log: nightly(3) }), START + 400 * DAY)).toEqual([])
  })
})
