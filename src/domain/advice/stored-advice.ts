/** Advice about a check, as stored between examinations. Times are in milliseconds since 1970. */
import { UNDO_SECONDS } from '../bulk/bulk.ts'
import type { Check } from '../check/check.ts'
import { TIMING_FIELDS } from '../check/fields.ts'
import type { CheckWithChannels } from '../check/representation.ts'
import { type Advice, type AdviceKind, type FixedSettings, HEARD_IN_PAUSE } from './advice.ts'

/** A check's advice, the advice that users dismissed for a while, and the last fix. */
export interface AdviceState {
  /** all advice, in the order used by the check's page; includes dismissed advice */
  readonly advice: readonly Advice[]
  readonly putOff: readonly PutOff[]
  readonly fixed: TakenFix | null
  /** time of the last change to the period, schedule, zone or grace time */
  readonly changedAt: number
}

/**
 * Identifies the same advice in later examinations. The numbers in the sentence are not part of the key, because they change with each run.
 */
export type AdviceKey = Pick<Advice, 'kind' | 'variant' | 'fix'>

/** Advice that a user dismissed for a while. If the advice changes, it is shown again. */
export interface PutOff extends AdviceKey {
  readonly until: number
  /** name of the user who dismissed it */
  readonly by: string
}

/** A fix that a user applied to a check. */
export interface TakenFix {
  readonly kind: AdviceKind
  readonly settings: FixedSettings
  readonly at: number
  readonly before: EarlierSettings
}

/** The settings that a fix replaced, and when they were set. */
interface EarlierSettings extends FixableSettings {
  readonly changedAt: number
}

/** Number of days for which the button "Not now" hides advice. */
export const PUT_OFF_DAYS = 30

/** Returns the advice that has not been dismissed, in the order used by the check's page. */
export function spokenAdvice({ advice, putOff }: Pick<AdviceState, 'advice' | 'putOff'>, now: number): Advice[] {
  return advice.filter((each) => !isPutOff({ putOff }, each, now))
}

export function isPutOff({ putOff }: Pick<AdviceState, 'putOff'>, advice: Advice, now: number): boolean {
  return putOff.some((one) => one.until > now && isSameAdvice(one, advice))
}

/**
 * Returns the list with one more piece of dismissed advice.
 * @param by name of the user who dismisses it
 */
export function puttingOff(putOff: readonly PutOff[], advice: Advice, until: number, by: string): PutOff[] {
  const { kind, variant, fix } = advice
  return [...takingUp(putOff, advice), { kind, variant, fix, until, by }]
}

/** Returns the list without this advice. */
export function takingUp(putOff: readonly PutOff[], advice: AdviceKey): PutOff[] {
  return putOff.filter((one) => !isSameAdvice(one, advice))
}

/** Returns the dismissed advice that has not expired yet. */
export function stillPutOff(putOff: readonly PutOff[], now: number): readonly PutOff[] {
  return putOff.filter(({ until }) => until > now)
}

export function isSameAdvice(a: AdviceKey, b: AdviceKey): boolean {
  return a.kind === b.kind && a.variant === b.variant && JSON.stringify(a.fix) === JSON.stringify(b.fix)
}

const SET_FIELDS = {
  timeout: 'timeoutSeconds',
  grace: 'graceSeconds',
  schedule: 'schedule',
  tz: 'tz',
  methods: 'methods',
} as const

/** The settings of a check that a fix can change. */
export interface FixableSettings {
  readonly timeoutSeconds: number
  readonly graceSeconds: number
  readonly schedule: string
  readonly tz: string
  readonly methods: string
}

/**
 * Returns the fix that an edit applies; null if the edit doesn't apply one.
 * @param before the settings before the edit
 * @param now milliseconds since 1970
 */
export function takenFix(
  { advice, changedAt }: Pick<AdviceState, 'advice' | 'changedAt'>,
  before: FixableSettings,
  after: FixableSettings,
  now: number,
): TakenFix | null {
  for (const { kind, fix, otherFixes } of advice) {
    for (const one of [fix, ...otherFixes]) {
      if (one.do === 'set' && isTaken(one.settings, before, after)) {
        const { timeoutSeconds, graceSeconds, schedule, tz, methods } = before
        return {
          kind,
          settings: one.settings,
          at: now,
          before: { timeoutSeconds, graceSeconds, schedule, tz, methods, changedAt },
        }
      }
    }
  }
  return null
}

function isTaken(settings: FixedSettings, before: FixableSettings, after: FixableSettings): boolean {
  return isSet(settings, after) && !isSet(settings, before)
}

function isSet(settings: FixedSettings, check: FixableSettings): boolean {
  const names = Object.keys(settings) as (keyof FixedSettings)[]
  return names.every((name) => check[SET_FIELDS[name]] === settings[name])
}

const TIMINGS = Object.keys(TIMING_FIELDS) as (keyof typeof TIMING_FIELDS)[]

export function isTimedOtherwise(before: Check, after: Check): boolean {
  return TIMINGS.some((name) => before[name] !== after[name])
}

/** Kinds of advice that do not depend on when runs are expected. */
const WITHOUT_TIMING: ReadonlySet<AdviceKind> = new Set([
  ...(['untold', 'ignored', 'senders', 'overlap', 'hollow', 'flapping', 'twins'] as const),
])

/**
 * Returns the advice that is still valid after an edit. Other advice depends on settings that the edit changed, and is hidden until the
 * next examination finds it again.
 */
export function leftAdvice(
  advice: readonly Advice[],
  before: CheckWithChannels,
  after: CheckWithChannels,
): readonly Advice[] {
  const isPaused = after.check.status === 'paused'
  const isRetimed = isTimedOtherwise(before.check, after.check)
  const isRewired = before.channelIds.toSorted().join() !== after.channelIds.toSorted().join()
  return advice.filter(({ kind, fix }) => {
    if (fix.do === 'resume' && !isPaused) return false
    if (fix.do === 'set' && isTaken(fix.settings, before.check, after.check)) return false
    if (isPaused && !HEARD_IN_PAUSE.has(kind)) return false
    return (!isRetimed || WITHOUT_TIMING.has(kind)) && !(isRewired && kind === 'untold')
  })
}

const COMPARED = ['timeoutSeconds', 'graceSeconds', 'schedule', 'tz'] as const

/**
 * If an edit undoes a fix, returns when the restored settings were originally set, so that the advice that led to the fix is shown again.
 * Otherwise, returns null.
 */
export function heldSince(fixed: TakenFix | null, after: FixableSettings, now: number): number | null {
  if (fixed === null || now - fixed.at > UNDO_SECONDS * 1_000) return null
  return COMPARED.every((name) => fixed.before[name] === after[name]) ? fixed.before.changedAt : null
}
