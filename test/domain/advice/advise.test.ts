/** Properties of all advice, whichever rule gives it. The recorded cases define the advice in each situation. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Advice, Fix } from '../../../src/domain/advice/advice.ts'
import { advise } from '../../../src/domain/advice/advise.ts'
import { readCase } from '../../../src/domain/advice/cases.ts'
import type { AdvisedPing, Facts } from '../../../src/domain/advice/facts.ts'
import { adviceSentence } from '../../../src/domain/advice/sentence.ts'
import { scheduleKind } from '../../../src/domain/schedule/schedule.ts'
import { sentenceText } from '../../../src/domain/words/sentence-text.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { doctorLines } from './vectors.ts'

const DAY = 86_400_000
const CASES = doctorLines().map(({ line }) => readCase(line))

/** A recorded case as it was at an earlier look, or as it will be some time later. */
const looks = fc
  .record({
    index: fc.nat(CASES.length - 1),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    later: fc.integer({ min: 0, max: 3 * DAY }),
  })
  .map(({ index, share, later }) => {
    const { facts, now } = CASES[index] ?? { facts: EMPTY, now: 0 }
    const log = facts.log.slice(0, Math.round(facts.log.length * share))
    return { facts: { ...facts, log }, now: (log.length < facts.log.length ? (log.at(-1)?.at ?? now) : now) + later }
  })

const EMPTY: Facts = {
  check: {
    ...{ kind: 'simple', timeoutSeconds: 3_600, schedule: '* * * * *', tz: 'UTC', graceSeconds: 3_600 },
    ...{ createdAt: 0, changedAt: 0, wasPinged: false, isPaused: false, pausedAt: null },
    ...{ manualResume: false, methods: '' },
  },
  ...{ log: [], away: [], held: [], siblingZones: [], accountZone: null, channels: [], refused: null, others: [] },
}

/** Returns the facts after the fix was applied; null if the fix changes no setting. */
function fixed(facts: Facts, fix: Fix, now: number): Facts | null {
  const { check } = facts
  if (fix.do === 'resume') return { ...facts, check: { ...check, isPaused: false, pausedAt: null, changedAt: now } }
  if (fix.do !== 'set') return null
  const { timeout, grace, schedule = check.schedule, tz = check.tz, methods = check.methods } = fix.settings
  return {
    ...facts,
    check: {
      ...check,
      kind:
        timeout === undefined ? (fix.settings.schedule === undefined ? check.kind : scheduleKind(schedule)) : 'simple',
      timeoutSeconds: timeout ?? check.timeoutSeconds,
      graceSeconds: grace ?? check.graceSeconds,
      ...{ schedule, tz, methods, changedAt: now },
    },
  }
}

const text = ({ says }: Advice, isEditor: boolean) =>
  sentenceText(adviceSentence({ says }, isEditor), { now: Temporal.Instant.fromEpochMilliseconds(0), tz: 'UTC' })

describe('advice', () => {
  test('is not repeated once its fix is made', () => {
    const check = ({ facts, now }: { readonly facts: Facts; readonly now: number }) => {
      for (const { kind, fix, otherFixes } of advise(facts, now)) {
        for (const each of [fix, ...otherFixes]) {
          const after = fixed(facts, each, now)
          const kinds = after === null ? [] : advise(after, now).map((advice) => advice.kind)
          expect({ fix: each, kinds }).toEqual({ fix: each, kinds: kinds.filter((other) => other !== kind) })
        }
      }
    }
    for (const each of CASES) check(each)
    fc.assert(fc.property(looks, check), { numRuns: 100 })
  })

  test('can be stored, and is said without gaps', () => {
    fc.assert(
      fc.property(looks, ({ facts, now }) => {
        const advice = advise(facts, now)
        expect<unknown>(JSON.parse(JSON.stringify(advice))).toEqual(advice)
        for (const each of advice) {
          expect(text(each, true)).toMatch(/^[A-Z0-9*][^\n]+[.?]$/)
          expect(text(each, true)).not.toMatch(/NaN|undefined|null|Infinity| {2}|–/)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('names no sender to readers who may not change the check', () => {
    for (const { facts, now } of CASES) {
      const senders = new Set(facts.log.flatMap(({ sender }) => sender ?? []))
      for (const advice of advise(facts, now)) {
        expect([...senders].filter((sender) => text(advice, false).includes(sender))).toEqual([])
      }
    }
  })
})

test('any log is judged, whatever its pings say', () => {
  const ping: fc.Arbitrary<AdvisedPing> = fc.record({
    at: fc.integer({ min: 0, max: 60 * DAY }),
    kind: fc.constantFrom('success', 'fail', 'start', 'log', 'ign'),
    duration: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
    runId: fc.option(fc.constantFrom('a', 'b')),
    sender: fc.option(fc.constantFrom('10.0.0.5', '10.0.0.7')),
    userAgent: fc.constantFrom('curl/8.5.0', 'Mozilla/5.0 Chrome/1', 'Slackbot', ''),
    method: fc.constantFrom('GET', 'POST', ''),
    ignoredBy: fc.option(fc.constantFrom('keyword', 'method', 'paused')),
    lastLine: fc.option(fc.constantFrom('error: no space left', 'done', '')),
  })
  const facts = fc.record({
    check: fc.record({
      timing: fc.constantFrom(
        { kind: 'simple' as const, schedule: '* * * * *' },
        { kind: 'cron' as const, schedule: '*/7 3 * * 1-5' },
        { kind: 'cron' as const, schedule: '0 0 29 2 *' },
        { kind: 'oncalendar' as const, schedule: '1970-01-20 03:00' },
      ),
      timeoutSeconds: fc.constantFrom(60, 3_600, 31_536_000),
      graceSeconds: fc.constantFrom(60, 3_600, 31_536_000),
      tz: fc.constantFrom('UTC', 'Europe/Riga', 'Left/The_Zone_Data'),
      isPaused: fc.boolean(),
      pausedAt: fc.option(fc.constant(DAY)),
      manualResume: fc.boolean(),
      methods: fc.constantFrom('', 'POST'),
    }),
    log: fc.array(ping, { maxLength: 60 }).map((log) => log.toSorted((a, b) => a.at - b.at)),
    away: fc.array(
      fc.record({ from: fc.constant(DAY), until: fc.constant(2 * DAY), why: fc.constant('outage' as const) }),
      {
        maxLength: 1,
      },
    ),
  })
  fc.assert(
    fc.property(facts, ({ check: { timing, ...check }, log, away }) => {
      const given = { ...EMPTY, check: { ...EMPTY.check, ...check, ...timing }, log, away }
      expect(() => advise(given, 61 * DAY)).not.toThrow()
    }),
    { numRuns: 200 },
  )
})
