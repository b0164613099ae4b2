import { describe, expect, test } from 'bun:test'
import { advise } from '../../../../src/domain/advice/advise.ts'
import { advised, DAY, facts, HOUR, MINUTE, nightly, ping, START, said } from '../facts.ts'

/** A check whose schedule is in Berlin time. The job runs at 03:00 UTC, but is due at 01:00 UTC. */
const BERLIN = { tz: 'Europe/Berlin' }
const after = (days: number) => START + (days - 1) * DAY + 3.1 * HOUR

describe('a zone', () => {
  test('is asked about after one ping, and told from the third on', () => {
    expect(said(facts({ check: BERLIN, log: nightly(1) }), after(1))).toBe(
      'The first ping arrived at 03:00 UTC, 2 h after it was due. Does the job run in UTC?',
    )
    expect(said(facts({ check: BERLIN, log: nightly(5) }), after(5))).toBe(
      'Runs at 03:00 UTC, 2 h after it is due. In UTC, 5 of 5 runs would have been on time; now none.',
    )
  })

  test('is not the only reading: the job may run later, or take so long', () => {
    const [first] = advise(facts({ check: BERLIN, log: nightly(5) }), after(5))
    expect(first?.otherFixes.map((fix) => fix.do === 'set' && fix.settings)).toEqual([
      { schedule: '0 5 * * *' },
      { grace: 9_000 },
    ])
  })

  test('that nobody named is a guess, with what it means', () => {
    expect(said(facts({ check: { tz: 'Asia/Tokyo', schedule: '0 23 * * *' }, log: nightly(5) }), after(5))).toBe(
      'Runs 11 h before it is due, at 23:00 in New York (UTC−5, −4 in summer). Where is the machine?',
    )
  })

  test('that nobody named is not guessed once a run was on time', () => {
    const onTime = ping(START + 14 * HOUR)
    const log = [onTime, ...nightly(5, () => ({}), 1)]
    const kinds = advised(facts({ check: { tz: 'Asia/Tokyo', schedule: '0 23 * * *' }, log }), after(6))
    expect(kinds).not.toContain('zone/guess')
  })

  test('is found at a change of clocks, when the newest run is late by another hour', () => {
    const change = Date.UTC(2026, 9, 25)
    const log = Array.from({ length: 9 }, (_, day) => ping(change + (day - 8) * DAY + 75 * MINUTE))
    const check = {
      tz: 'Europe/London',
      schedule: '15 1 * * *',
      createdAt: change - 9 * DAY,
      changedAt: change - 9 * DAY,
    }
    expect(advised(facts({ check, log }), change + 1.5 * HOUR)).toEqual(['zone/known'])
  })

  test('is not told where the schedule names its own', () => {
    const check = { kind: 'oncalendar', schedule: '*-*-* 03:00 Europe/Berlin', tz: 'Europe/Berlin' } as const
    expect(advised(facts({ check, log: nightly(5) }), after(5))).toEqual(['time/late'])
  })

  test('of another check is passed over if it can not be read', () => {
    const given = facts({ check: BERLIN, log: nightly(5), siblingZones: ['Mars/Base'], accountZone: 'europe/berlin' })
    expect(advised(given, after(5))).toEqual(['zone/known'])
  })

  test('is asked about where news come late, though no alert does', () => {
    const log = nightly(9, () => ({ duration: 0.5 }))
    expect(said(facts({ check: { ...BERLIN, graceSeconds: 10_800 }, log }), after(9))).toBe(
      'Runs at 03:00 UTC, 2 h after it is due, within the grace time. Does the job run in UTC?',
    )
  })
})
