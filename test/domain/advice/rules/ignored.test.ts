import { describe, expect, test } from 'bun:test'
import type { AdvisedPing } from '../../../../src/domain/advice/facts.ts'
import { advised, DAY, facts, HOUR, nightly, ping, START, said } from '../facts.ts'

const ignored = (by: AdvisedPing['ignoredBy']) => ({ kind: 'ign', ignoredBy: by }) as const
/** Time at which the next run is missing. */
const DOWN = START + 5 * DAY + 5 * HOUR

describe('pings that a rule ignores', () => {
  test('are told once the check is down', () => {
    const log = [...nightly(5), ...nightly(1, () => ignored('keyword'), 5)]
    expect(advised(facts({ log }), START + 5 * DAY + 3.5 * HOUR)).toEqual([])
    expect(said(facts({ log }), DOWN)).toBe(
      '1 ping has arrived since yesterday 03:00, but did not count: no keyword was found.',
    )
  })

  test('are told after a run that began and whose end is ignored', () => {
    const started = START + 5 * DAY + 3 * HOUR
    const log = [...nightly(5), ping(started, { kind: 'start' }), ping(started + 60_000, ignored('keyword'))]
    expect(advised(facts({ log }), started + 0.5 * HOUR)).toEqual([])
    expect(advised(facts({ log }), started + HOUR)).toEqual(['ignored/keyword'])
  })

  test('are not told of a method that counts now', () => {
    const log = [...nightly(5), ...nightly(1, () => ignored('method'), 5)]
    expect(advised(facts({ log, check: { methods: '' } }), DOWN)).toEqual([])
    expect(said(facts({ log, check: { methods: 'POST' } }), DOWN)).toBe(
      '1 ping has arrived since yesterday 03:00, but did not count: it used GET; this check accepts only POST.',
    )
  })

  test('are not told of a pause that is over', () => {
    expect(advised(facts({ log: [...nightly(5), ...nightly(1, () => ignored('paused'), 5)] }), DOWN)).toEqual([])
  })
})

describe('refused exit statuses', () => {
  const refused = (count: number, at: number) => ({ count, tail: '3221225477', at })

  test('are told once after a run, when the check is down', () => {
    const given = facts({ log: nightly(5), refused: refused(1, START + 5 * DAY + 3 * HOUR) })
    expect(advised(given, START + 5 * DAY + 3.5 * HOUR)).toEqual([])
    expect(said(given, DOWN)).toBe('The exit status 3221225477 was refused at 03:00: only 0 to 255 count.')
  })

  test('are told twice of a check that was never pinged', () => {
    expect(advised(facts({ refused: refused(1, START + 3 * HOUR) }), START + DAY)).toEqual([])
    expect(said(facts({ refused: refused(2, START + 3 * HOUR) }), START + DAY)).toBe(
      'The exit status 3221225477 was refused twice, last yesterday at 03:00: only 0 to 255 count.',
    )
  })

  test('are not told after a run that counted', () => {
    expect(advised(facts({ log: nightly(5), refused: refused(3, START + HOUR) }), DOWN)).toEqual([])
  })
})
