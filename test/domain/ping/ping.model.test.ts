/** The state machine against a short model, and invariants of every history of a check. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { RUNS_KEPT, type RunMark, runMarks } from '../../../src/domain/check/run-history.ts'
import { deadline, expectedAt, isStarted, statusAt } from '../../../src/domain/check/status.ts'
import { isEndOf } from '../../../src/domain/ping/overlap.ts'
import { stripOf } from '../../../src/domain/run/strip.ts'
import { fromMicroseconds, isBefore, Temporal, toMicroseconds } from '../../../src/lib/time.ts'
import { aCheck, NOON } from '../../support/builders.ts'
import { due, FRESH, foreseen, HOUR, happened, micro, seen } from '../support/check-model.ts'
import { CHECK, histories, live, moved, type Step } from '../support/histories.ts'

/** Random histories that start at noon and some microseconds. */
const lives = fc
  .tuple(histories, fc.integer({ min: 0, max: HOUR }))
  .map(([events, later]) => live(CHECK, events, moved(NOON, later)))

/** A claim about a step. Returns false for a step that it doesn't apply to. */
type Claim = (step: Step, earlier: readonly Step[]) => boolean

/** Checks `claim` at every step of random histories. Fails when it applied to too few steps. */
function always(claim: Claim, options: { readonly seed?: number } = {}): void {
  let checked = 0
  const property = fc.property(lives, (steps) => {
    for (const [index, step] of steps.entries()) checked += Number(claim(step, steps.slice(0, index)))
  })
  fc.assert(property, { numRuns: 500, ...options })
  expect(checked).toBeGreaterThan(30)
}

test('any history of a check matches the model', () => {
  const property = fc.property(lives, (steps) => {
    let model = FRESH
    for (const { event, now, after, flip } of steps) {
      const before = model
      model = happened(before, event, micro(now))
      expect(seen(after, now)).toEqual(foreseen(model, micro(now)))
      if (before.status === model.status) {
        expect(flip).toBeNull()
      } else {
        const isTimeout = event.kind === 'loop'
        const reason = isTimeout ? 'timeout' : event.kind === 'ping' && model.status === 'down' ? 'fail' : ''
        expect(flip).toMatchObject({ oldStatus: before.status, newStatus: model.status, reason })
        expect(micro(flip?.createdAt ?? null)).toBe(isTimeout ? due(before) : micro(now))
      }
    }
  })
  fc.assert(property, { numRuns: 3000 })
})

describe('in every history of a check', () => {
  test('each ping is counted and numbered, whatever its kind', () => {
    always(({ before, after, ping }) => {
      expect(after.nPings).toBe(before.nPings + (ping ? 1 : 0))
      if (ping) expect(ping.n).toBe(after.nPings)
      return ping !== null
    })
  })

  test('flips are numbered, always change the status, and each begins where the one before ended', () => {
    always(({ before, after, flip }, earlier) => {
      expect(after.nEvents).toBe(before.nEvents + (flip ? 1 : 0))
      expect(flip !== null).toBe(before.status !== after.status)
      if (!flip) return false
      const previous = earlier.findLast((step) => step.flip)?.flip
      expect(flip).toMatchObject({ n: after.nEvents, oldStatus: previous?.newStatus ?? 'new', newStatus: after.status })
      expect(flip.oldStatus).not.toBe(flip.newStatus)
      return true
    })
  })

  test('a time-out is dated to the deadline, however late the loop runs, and is found by its alert time', () => {
    always(({ event, before, after, flip, now }) => {
      if (event.kind !== 'loop') return false
      const by = deadline(before)
      const isOverdue = by !== null && !isBefore(now, by)
      expect(flip?.reason === 'timeout').toBe(isOverdue)
      if (!flip) return false
      expect(flip.createdAt.toString()).toBe(String(by))
      expect(after).toEqual({ ...before, status: 'down', nEvents: before.nEvents + 1 })
      return true
    })
  })

  test('the alert time is never later than the deadline, and there is one exactly when there is a deadline', () => {
    always(({ after, alertAfter }) => {
      const by = deadline(after)
      expect(alertAfter === null).toBe(by === null)
      if (!alertAfter || !by) return false
      expect(Temporal.Instant.compare(alertAfter, by)).toBeLessThanOrEqual(0)
      return true
    })
  })

  test('at the deadline it is shown down, a microsecond before it is not', () => {
    always(({ after }) => {
      const by = deadline(after)
      if (!by) return false
      expect(statusAt(after, by)).toBe('down')
      expect(statusAt(after, moved(by, -1))).not.toBe('down')
      return true
    })
  })

  test('at the expected time it is late, a microsecond before it is up', () => {
    always(({ after }) => {
      const [expectedTime, by] = [expectedAt(after), deadline(after)]
      if (!expectedTime || !by || !isBefore(expectedTime, by)) return false
      expect(statusAt(after, expectedTime)).toBe('grace')
      expect(statusAt(after, moved(expectedTime, -1))).toBe('up')
      return true
    })
  })

  test('the last duration changes only with a success or failure, which sets it only when it ends its own run', () => {
    always(({ before, after, ping, now }) => {
      const isEnd = ping?.kind === 'success' || ping?.kind === 'fail'
      const endsItsRun = isEnd && before.lastStartAt !== null && isEndOf(before, ping.rid)
      if (!isEnd) expect(after.lastDuration).toBe(before.lastDuration)
      else if (!endsItsRun) expect(after.lastDuration).toBeNull()
      else if (isBefore(before.lastStartAt, now)) expect(after.lastDuration).toBeGreaterThan(0)
      else expect(after.lastDuration).toBe(0)
      return endsItsRun
    })
  })

  test('a ping changes nothing but the count of a paused check with manual resume', () => {
    always(({ before, after, ping, flip }) => {
      if (!ping || before.status !== 'paused' || !before.manualResume) return false
      expect(ping.kind).toBe('ign')
      expect(flip).toBeNull()
      expect(after).toEqual({ ...before, nPings: before.nPings + 1 })
      return true
    })
  })

  test('each success, failure and pause is recorded in the run history, and nothing else is', () => {
    always(({ event, before, after, ping, flip }) => {
      const isEnd = ping?.kind === 'success' || ping?.kind === 'fail'
      if (!isEnd && !(event.kind === 'pause' && flip)) {
        expect(after.runs).toEqual(before.runs)
        return false
      }
      const [marks, earlier] = [runMarks(after.runs), runMarks(before.runs)]
      expect(marks.at(-1)?.kind).toBeOneOf(
        ping === null ? ['paused'] : ping.kind === 'fail' ? ['failed'] : ['ok', 'late'],
      )
      expect(marks.length).toBeLessThanOrEqual(RUNS_KEPT)
      expect(marks.length).toBeGreaterThanOrEqual(Math.min(RUNS_KEPT, earlier.length + 1))
      return true
    })
  })

  test('a strip says what is missing until a pause records it, or a ping, which may have skipped runs that were not given up', () => {
    always(({ event, before, after, ping, flip, now }) => {
      const isEnd = ping?.kind === 'success' || ping?.kind === 'fail'
      if (!(isEnd && after.lastStartAt === null) && !(event.kind === 'pause' && flip)) return false
      const count = (marks: readonly RunMark[]) => marks.filter(({ kind }) => kind === 'missing').length
      const [shown, recorded] = [count(stripOf(before, now)), count(stripOf(after, now))]
      if (runMarks(before.runs).length + shown > RUNS_KEPT / 2) return false
      // The last slot of a silence is missing until its ping arrives.
      if (ping === null) expect(shown).toBe(recorded)
      else expect(shown - recorded).toBeLessThanOrEqual(1)
      return true
    })
  })

  test('a paused check has no run pending and no deadline', () => {
    always(({ after }) => {
      if (after.status !== 'paused') return false
      expect([after.lastStartAt, deadline(after)]).toEqual([null, null])
      return true
    })
  })
})

test('a scheduled check expects its next success strictly after the last one, in any zone and at any microsecond', () => {
  const schedules = fc.constantFrom('* * * * *', '30 3 * * *', '*/30 2-4 * * *', '59 23 * * 0', '*-*-* 3:30', 'hourly')
  const zones = fc.constantFrom('UTC', 'Europe/Riga', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu')
  // The hours around a clock change, and a whole year.
  const autumn = toMicroseconds(Temporal.Instant.from('2026-10-24T23:00:00Z'))
  const moments = fc.oneof(
    fc.integer({ min: autumn, max: autumn + 5 * HOUR }),
    fc.integer({ min: autumn, max: autumn + 8760 * HOUR }),
  )
  const property = fc.property(schedules, zones, moments, (schedule, tz, moment) => {
    const lastPingAt = fromMicroseconds(moment)
    const kind = schedule.includes(':') || schedule === 'hourly' ? 'oncalendar' : 'cron'
    const next = expectedAt(aCheck({ status: 'up', kind, schedule, tz, lastPingAt }))
    expect(next && isBefore(lastPingAt, next)).toBe(true)
  })
  fc.assert(property, { numRuns: 2000 })
})

test('random histories reach every state', () => {
  const reached = new Set<string>()
  let timeouts = 0
  const claim = ({ after, now, flip }: Step) => {
    if (flip?.reason === 'timeout') timeouts++
    reached.add(`${after.status}, shown ${statusAt(after, now)}${isStarted(after) ? ', running' : ''}`)
    return true
  }
  always(claim, { seed: 1 })
  expect(timeouts).toBeGreaterThan(100)
  expect([...reached].sort()).toEqual([
    'down, shown down',
    'down, shown down, running',
    'new, shown down, running',
    'new, shown new',
    'new, shown new, running',
    'paused, shown paused',
    'up, shown down',
    'up, shown down, running',
    'up, shown grace',
    'up, shown grace, running',
    'up, shown up',
    'up, shown up, running',
  ])
})
