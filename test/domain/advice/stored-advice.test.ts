/** Stored advice: advice that was put off, fixes that were applied, and the time of the next look. */
import { describe, expect, test } from 'bun:test'
import type { Advice } from '../../../src/domain/advice/advice.ts'
import type { Facts } from '../../../src/domain/advice/facts.ts'
import { nextLook } from '../../../src/domain/advice/next-look.ts'
import {
  heldSince,
  isPutOff,
  leftAdvice,
  puttingOff,
  spokenAdvice,
  takenFix,
  takingUp,
} from '../../../src/domain/advice/stored-advice.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import { aCheck } from '../../support/builders.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = 1_000 * DAY

const ZONE: Advice = {
  kind: 'zone',
  variant: 'known',
  says: ['Runs at 03:00 UTC.'],
  fix: { do: 'set', settings: { tz: 'UTC' } },
  otherFixes: [{ do: 'set', settings: { schedule: '0 5 * * *' } }],
}
const UNTOLD: Advice = { ...ZONE, kind: 'untold', fix: { do: 'ask', about: 'channels' }, otherFixes: [] }

describe('advice that is put off', () => {
  const putOff = puttingOff([], ZONE, NOW + DAY, 'ann@example.org')

  test('is not said until then, while other advice is', () => {
    const state = { advice: [ZONE, UNTOLD], putOff }
    expect(spokenAdvice(state, NOW)).toEqual([UNTOLD])
    expect(spokenAdvice(state, NOW + DAY)).toEqual([ZONE, UNTOLD])
    expect([isPutOff(state, ZONE, NOW), isPutOff(state, UNTOLD, NOW)]).toEqual([true, false])
  })

  test('is said when its fix or its variant becomes another one, or somebody takes it up', () => {
    const other: Advice = { ...ZONE, fix: { do: 'set', settings: { tz: 'Asia/Tokyo' } } }
    const worse: Advice = { ...ZONE, variant: 'guess' }
    expect(spokenAdvice({ advice: [other, worse], putOff }, NOW)).toEqual([other, worse])
    expect(takingUp(putOff, ZONE)).toEqual([])
    expect(puttingOff(putOff, ZONE, NOW + 2 * DAY, 'bob@example.org')).toHaveLength(1)
  })
})

describe('an edit', () => {
  const before = { timeoutSeconds: 3_600, graceSeconds: 3_600, schedule: '0 3 * * *', tz: 'Europe/Riga', methods: '' }

  test('takes over the fix whose settings it sets, also one of the others', () => {
    const taken = (after: typeof before) => takenFix({ advice: [ZONE, UNTOLD], changedAt: 7 }, before, after, NOW)
    expect(taken({ ...before, tz: 'UTC' })).toEqual({
      ...{ kind: 'zone', settings: { tz: 'UTC' }, at: NOW },
      before: { ...before, changedAt: 7 },
    })
    expect(taken({ ...before, schedule: '0 5 * * *' })).toMatchObject({ settings: { schedule: '0 5 * * *' } })
    expect(taken({ ...before, tz: 'Asia/Tokyo' })).toBeNull()
  })

  test('that sets what was set already takes nothing over', () => {
    const utc = { ...before, tz: 'UTC' }
    expect(takenFix({ advice: [ZONE], changedAt: 7 }, utc, { ...utc, graceSeconds: 60 }, NOW)).toBeNull()
  })

  test('that takes a fix back within an hour holds since before the fix', () => {
    const fixed = takenFix({ advice: [ZONE], changedAt: 7 }, before, { ...before, tz: 'UTC' }, NOW)
    expect(heldSince(fixed, before, NOW + DAY / 24)).toBe(7)
    expect(heldSince(fixed, before, NOW + DAY)).toBeNull()
    expect(heldSince(fixed, { ...before, tz: 'Asia/Tokyo' }, NOW)).toBeNull()
    expect(heldSince(null, before, NOW)).toBeNull()
  })
})

describe('of its advice an edit', () => {
  const RESUME: Advice = { ...UNTOLD, kind: 'unwatched', variant: 'paused', fix: { do: 'resume' } }
  const HOLLOW: Advice = { ...UNTOLD, kind: 'hollow', fix: { do: 'text', text: 'exit-status' } }
  const METHOD: Advice = { ...ZONE, kind: 'ignored', fix: { do: 'set', settings: { methods: '' } } }
  const SENDERS: Advice = { ...UNTOLD, kind: 'senders' }
  const check = aCheck({ schedule: '0 3 * * *', kind: 'cron', methods: 'POST', status: 'up' })
  const left = (before: Partial<Check>, after: Partial<Check>, channelIds: readonly string[] = []) =>
    leftAdvice(
      [UNTOLD, RESUME, METHOD, SENDERS, ZONE, HOLLOW],
      { check: { ...check, ...before }, channelIds: [] },
      { check: { ...check, ...before, ...after }, channelIds },
    )

  test('that pauses the check leaves what a paused check hears, until it is resumed', () => {
    expect(left({}, { status: 'paused' })).toEqual([RESUME, METHOD, SENDERS])
    expect(left({ status: 'paused' }, { name: 'Backup' })).toEqual([RESUME, METHOD, SENDERS])
    expect(left({ status: 'paused' }, { status: 'new' })).toEqual([UNTOLD, METHOD, SENDERS, ZONE, HOLLOW])
  })

  test('of the timing leaves what says nothing of when runs are expected', () => {
    for (const over of [{ tz: 'Asia/Tokyo' }, { graceSeconds: 7 }, { schedule: '0 4 * * *' }]) {
      expect(left({}, over)).toEqual([UNTOLD, METHOD, SENDERS, HOLLOW])
    }
  })

  test('that does what a fix proposes, or assigns other integrations, withdraws that advice alone', () => {
    expect(left({}, { methods: '' })).toEqual([UNTOLD, SENDERS, ZONE, HOLLOW])
    expect(left({}, {}, ['a'])).toEqual([METHOD, SENDERS, ZONE, HOLLOW])
  })

  test('of a name withdraws nothing', () => {
    expect(left({}, { name: 'Backup' })).toEqual([UNTOLD, METHOD, SENDERS, ZONE, HOLLOW])
  })
})

describe('the next look', () => {
  const facts = (every: number, over: Partial<Facts['check']> = {}, entries = 20): Facts => ({
    check: {
      ...({ kind: 'simple', timeoutSeconds: 86_400, schedule: '', tz: 'UTC', graceSeconds: 3_600 } as const),
      ...{
        createdAt: 0,
        changedAt: 0,
        wasPinged: false,
        isPaused: false,
        pausedAt: null,
        manualResume: false,
        methods: '',
        ...over,
      },
    },
    log: Array.from({ length: entries }, (_, index) => ({
      ...({ at: NOW - (entries - index) * every, kind: 'success', duration: null, runId: null, sender: null } as const),
      ...{ userAgent: 'curl', method: 'GET', ignoredBy: null, lastLine: null },
    })),
    ...{ away: [], held: [], siblingZones: [], accountZone: null, channels: [], refused: null, others: [] },
  })
  const pause = (given: Facts, hasAdvice = false, logLimit = 100, isDown = false) =>
    nextLook(given, { hasAdvice, isDown, logLimit }, NOW) - NOW

  test('comes after eight runs, between six hours and a day', () => {
    expect([pause(facts(2 * HOUR)), pause(facts(DAY)), pause(facts(30 * MINUTE))]).toEqual([16 * HOUR, DAY, 6 * HOUR])
  })

  test('comes after each run while there is advice, or the check is new or changed', () => {
    expect(pause(facts(2 * HOUR), true)).toBe(2 * HOUR)
    expect(pause(facts(2 * HOUR, { changedAt: NOW - DAY }))).toBe(2 * HOUR)
    expect(pause(facts(2 * HOUR, { createdAt: NOW - DAY }))).toBe(2 * HOUR)
    expect([pause(facts(10 * MINUTE), true), pause(facts(7 * DAY), true)]).toEqual([15 * MINUTE, DAY])
  })

  test('comes two minutes before a check that is down would go down again', () => {
    const daily = facts(DAY, { kind: 'cron', schedule: '0 3 * * *', tz: 'UTC', graceSeconds: 3_600 })
    expect((NOW + pause(daily, false, 100, true)) % DAY).toBe(4 * HOUR - 2 * MINUTE)
    expect(pause(daily)).toBe(DAY)
    expect(pause(facts(DAY), false, 100, true)).toBe(DAY)
  })

  test('comes before the log forgets runs, but no earlier than in five minutes', () => {
    expect(pause(facts(MINUTE))).toBe(80 * MINUTE)
    expect(pause(facts(MINUTE), false, 1_000)).toBe(6 * HOUR)
    expect(pause(facts(1_000))).toBe(5 * MINUTE)
  })

  test('comes when an integration has failed for a day', () => {
    const channel = { name: 'Ops', state: 'failing', givenUp: 0 } as const
    const failing = (since: number) => ({ ...facts(DAY), channels: [{ ...channel, since: NOW - since }] })
    expect([pause(failing(20 * HOUR)), pause(failing(DAY))]).toEqual([4 * HOUR, DAY])
  })

  test('of a check without runs goes by its timing', () => {
    expect(pause(facts(DAY, { timeoutSeconds: 7_200 }, 0), true)).toBe(2 * HOUR)
  })
})
