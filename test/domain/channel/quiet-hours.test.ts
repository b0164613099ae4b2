/** Quiet hours of a channel: which alerts they hold, and what is sent when they end. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  afterQuietHours,
  CHECKS_IN_MESSAGE,
  type QuietHours,
  quietUntil,
  type WaitingAlert,
} from '../../../src/domain/channel/quiet-hours.ts'
import { Temporal } from '../../../src/lib/time.ts'

const RIGA = 'Europe/Riga'
/** A time in the night from 10 to 11 November 2026 in Riga: `23:30` is in the evening, `02:00` in the morning. */
const night = (time: string) => {
  const day = time < '12:00' ? '2026-11-11' : '2026-11-10'
  return Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(RIGA).toInstant()
}

const quiet: QuietHours = { schedule: '0 22 * * *', tz: RIGA, seconds: 9 * 3_600, upTo: 'down' }
const anAlert = (given: Partial<WaitingAlert> = {}): WaitingAlert => ({
  ...{ checkId: 'a', eventN: 2, incidentN: 2, news: 'down', severity: 'down' },
  ...{ resolvedAt: null, heldUntil: night('07:00') },
  ...given,
})
const warning = anAlert({ news: 'warning', severity: 'warning' })
const down = anAlert({ eventN: 3 })

describe('an alert to a channel waits', () => {
  test('from the beginning of its quiet hours until just before their end', () => {
    const times = ['21:59:59', '22:00', '06:59:59', '07:00'].map((time) => quietUntil(quiet, down, night(time)))
    expect(times).toEqual([null, night('07:00'), night('07:00'), null])
  })

  test('whether a check went down or recovered, unless it is worse than they hold', () => {
    const only = { ...quiet, upTo: 'warning' } as const
    const recovered = anAlert({ news: 'up' })
    expect([down, recovered].map((alert) => quietUntil(quiet, alert, night('02:00')))).toEqual([
      ...[night('07:00'), night('07:00')],
    ])
    expect([warning, down].map((alert) => quietUntil(only, alert, night('23:30')))).toEqual([night('07:00'), null])
  })

  test('an hour longer by the clock in the night in which one is skipped', () => {
    const beforeChange = Temporal.Instant.from('2026-03-28T22:00:00Z')
    expect(quietUntil(quiet, down, beforeChange)).toEqual(Temporal.Instant.from('2026-03-29T05:00:00Z'))
  })

  test('not at all without quiet hours, or with some that this version cannot read', () => {
    expect(quietUntil(null, down, night('02:00'))).toBeNull()
    expect(quietUntil({ ...quiet, schedule: 'at night' }, down, night('02:00'))).toBeNull()
  })
})

describe('when quiet hours end', () => {
  const up = anAlert({ eventN: 4, news: 'up', resolvedAt: night('06:59'), heldUntil: null })
  const began = anAlert({ eventN: 2, resolvedAt: night('06:59') })
  const other = anAlert({ checkId: 'b' })

  test('one mail tells of what went down and has recovered', () => {
    expect(afterQuietHours([began, up], true)).toEqual({ messages: [[began, up]], dropped: [] })
  })

  test('one message tells all, what is still down first', () => {
    expect(afterQuietHours([began, other, up], true).messages).toEqual([[other, began, up]])
  })

  test('a kind that sends each alone leaves out what has ended meanwhile', () => {
    expect(afterQuietHours([began, other, up], false)).toEqual({ messages: [[other]], dropped: [began, up] })
  })

  test('it does not leave out what ended after the quiet hours', () => {
    const late = [began, up].map((alert) => ({ ...alert, resolvedAt: night('07:01') }))
    expect(afterQuietHours(late, false)).toEqual({ messages: late.map((alert) => [alert]), dropped: [] })
  })

  test('it leaves it out too if it gets no recoveries', () => {
    expect(afterQuietHours([began, other], false)).toEqual({ messages: [[other]], dropped: [began] })
    expect(afterQuietHours([began, other], true).messages).toEqual([[other, began]])
  })

  test('the recovery of what was told before them is sent by every kind', () => {
    expect(afterQuietHours([up], false)).toEqual({ messages: [[up]], dropped: [] })
    expect(afterQuietHours([up], true)).toEqual({ messages: [[up]], dropped: [] })
  })

  test('nothing that waited makes no message', () => {
    expect(afterQuietHours([], true)).toEqual({ messages: [], dropped: [] })
  })
})

/**
 * Alerts in a possible order: each incident begins, may be acknowledged and may end. If its beginning was already alerted, only its end is
 * in the list.
 */
const waited = fc
  .array(
    fc.record({
      checkId: fc.integer({ min: 0, max: 250 }).map((n) => `check ${n}`),
      isTold: fc.boolean(),
      isTaken: fc.boolean(),
      hasEnded: fc.boolean(),
    }),
    { maxLength: 400, size: 'max' },
  )
  .map((incidents) =>
    incidents.flatMap(({ checkId, isTold, isTaken, hasEnded }, index) => {
      const incidentN = index * 10 + 1
      const resolvedAt = hasEnded ? night('06:59') : null
      const one = (after: number, news: WaitingAlert['news']) =>
        anAlert({ checkId, incidentN, eventN: incidentN + after, news, resolvedAt })
      return [
        ...(isTold ? [] : [one(0, 'down')]),
        ...(isTaken ? [one(1, 'acknowledged')] : []),
        ...(hasEnded ? [one(2, 'up')] : []),
      ]
    }),
  )

test.each([true, false])('whatever waited is sent once, or dropped if it has ended; joined: %s', (canJoin) => {
  let dropping = 0
  const property = fc.property(waited, (alerts) => {
    const { messages, dropped } = afterQuietHours(alerts, canJoin)
    const seen = [...messages.flat(), ...dropped]
    expect([seen.length, new Set(seen)]).toEqual([alerts.length, new Set(alerts)])
    for (const message of messages) {
      const checks = new Set(message.map(({ checkId }) => checkId))
      expect(checks.size).toBeLessThanOrEqual(canJoin ? CHECKS_IN_MESSAGE : 1)
      for (const checkId of checks) {
        const numbers = message.filter((alert) => alert.checkId === checkId).map(({ eventN }) => eventN)
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
      }
    }
    const ended = new Set(alerts.filter(({ news }) => news === 'up').map(({ incidentN }) => incidentN))
    expect(dropped.every(({ incidentN }) => ended.has(incidentN))).toBe(true)
    dropping += dropped.length
  })
  fc.assert(property, { numRuns: 200 })
  expect(dropping > 0).toBe(!canJoin)
})
