/** Random histories of a check: the events of a check, applied as the services and the store do. */
import fc from 'fast-check'
import { applySpec, type Check, type CheckSpec } from '../../../src/domain/check/check.ts'
import type { Flip } from '../../../src/domain/check/flip.ts'
import { pause, resume } from '../../../src/domain/check/pause.ts'
import { alertAfter, deadline, expectedAt, flipIfOverdue } from '../../../src/domain/check/status.ts'
import { type Ping, receive } from '../../../src/domain/ping/ping.ts'
import type { Signal } from '../../../src/domain/ping/signal.ts'
import { fromMicroseconds, type Instant, isAtOrAfter, toMicroseconds } from '../../../src/lib/time.ts'
import { aCheck, aSignal, bytes, NOON, RID_A, RID_B } from '../../support/builders.ts'

export type Event =
  | { readonly kind: 'ping'; readonly signal: Signal }
  | { readonly kind: 'update'; readonly spec: CheckSpec }
  | { readonly kind: 'pause' | 'resume' }
  /** the loop judges checks whose alert time has passed */
  | { readonly kind: 'loop' }
  /** time passes, or is set back */
  | { readonly kind: 'wait'; readonly microseconds: number }
  /** time jumps to just before, at or just after an instant that matters, if there is one */
  | { readonly kind: 'jump'; readonly to: 'deadline' | 'expected'; readonly microseconds: -1 | 0 | 1 }

/** The effect of one event. */
export interface Step {
  readonly event: Event
  readonly now: Instant
  readonly before: Check
  readonly after: Check
  readonly ping: Ping | null
  readonly flip: Flip | null
  /** time at which the loop finds the check, as stored after the event */
  readonly alertAfter: Instant | null
}

const KEYWORDS = { startKw: 'begin', successKw: 'ok, done', failureKw: 'failed' } as const

/** A check with keywords, so that switching the filter on is enough. */
export const CHECK = aCheck({ ...KEYWORDS, timeoutSeconds: 900, graceSeconds: 600 })

export function live(check: Check, events: readonly Event[], from: Instant = NOON): Step[] {
  const steps: Step[] = []
  let last: Step = {
    event: { kind: 'loop' },
    now: from,
    before: check,
    after: check,
    ping: null,
    flip: null,
    alertAfter: null,
  }
  for (const event of events) {
    last = next(event, last)
    steps.push(last)
  }
  return steps
}

function next(event: Event, { after: check, now, alertAfter: current }: Step): Step {
  const nothing = { event, now, before: check, after: check, ping: null, flip: null, alertAfter: current }
  const written = (after: Check, flip: Flip | null) => ({
    ...nothing,
    after,
    flip,
    alertAfter: alertAfter(after, null),
  })
  switch (event.kind) {
    case 'ping': {
      const { check: watched, ping, flip } = receive(check, event.signal, now)
      const after = { ...check, ...watched }
      return { ...nothing, after, ping, flip, alertAfter: alertAfter(after, current) }
    }
    case 'update':
      return written(applySpec(check, event.spec, false), null)
    case 'pause':
    case 'resume': {
      const flipped = event.kind === 'pause' ? pause(check, now) : resume(check, now)
      if (flipped) return written(flipped.check, flipped.flip)
      return event.kind === 'pause' ? written(check, null) : nothing
    }
    case 'loop': {
      if (current === null || !isAtOrAfter(now, current)) return nothing
      const flipped = flipIfOverdue(check, now)
      return written({ ...check, ...flipped?.check }, flipped?.flip ?? null)
    }
    case 'wait':
      return { ...nothing, now: moved(now, event.microseconds) }
    case 'jump': {
      const target = event.to === 'deadline' ? deadline(check) : expectedAt(check)
      return { ...nothing, now: target === null ? now : moved(target, event.microseconds) }
    }
  }
}

export function moved(instant: Instant, microseconds: number): Instant {
  return fromMicroseconds(toMicroseconds(instant) + microseconds)
}

const BODIES = [null, 'all ok', 'failed', 'begin', 'done, then failed', 'begin, then ok', 'OK Failed BEGIN', 'hm'].map(
  (text) => (text === null ? null : bytes(text)),
)

const signals: fc.Arbitrary<Signal> = fc
  .record({
    action: fc.constantFrom('success', 'success', 'start', 'start', 'fail', 'log'),
    rid: fc.constantFrom(null, null, RID_A, RID_B),
    method: fc.constantFrom('GET', 'POST', 'HEAD'),
    body: fc.constantFrom(...BODIES),
  })
  .map(aSignal)

/** Schedules whose occurrences the model can compute by arithmetic. */
export const SCHEDULES = ['*/15 * * * *', '7 * * * *', 'hourly', '2026-03-04 12:20', '2020-01-01'] as const

const specs: fc.Arbitrary<CheckSpec> = fc.record(
  {
    timeout: fc.constantFrom(60, 900, 3600),
    grace: fc.constantFrom(60, 600, 7200),
    schedule: fc.constantFrom(...SCHEDULES),
    manual_resume: fc.boolean(),
    methods: fc.constantFrom('', 'POST'),
    filter_http_body: fc.boolean(),
    filter_default_fail: fc.boolean(),
  },
  { requiredKeys: [] },
)

const MINUTE = 60_000_000

const events: fc.Arbitrary<Event> = fc.oneof(
  { weight: 8, arbitrary: signals.map((signal) => ({ kind: 'ping' as const, signal })) },
  { weight: 2, arbitrary: specs.map((spec) => ({ kind: 'update' as const, spec })) },
  { weight: 2, arbitrary: fc.constantFrom({ kind: 'pause' as const }, { kind: 'resume' as const }) },
  { weight: 4, arbitrary: fc.constant({ kind: 'loop' as const }) },
  {
    weight: 3,
    arbitrary: fc
      .oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -5 * MINUTE, max: 40 * MINUTE }))
      .map((microseconds) => ({ kind: 'wait' as const, microseconds })),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('jump' as const),
      to: fc.constantFrom('deadline', 'deadline', 'expected'),
      microseconds: fc.constantFrom(-1, 0, 1),
    }),
  },
)

export const histories: fc.Arbitrary<Event[]> = fc.array(events, { maxLength: 40, size: 'max' })
