/** Advice of a check as it is kept from one look at the check to the next. Times are milliseconds since 1970. */
import { UNDO_SECONDS } from '../check/bulk.ts'
import type { Advice, AdviceKind, Fix, FixedSettings } from './advice.ts'

/** What is known of the watching of a check. */
export interface AdviceState {
  /** all that is wrong, in the order in which it is said */
  readonly advice: readonly Advice[]
  readonly putOff: readonly PutOff[]
  readonly fixed: TakenFix | null
  /** when period, schedule, zone or grace time last changed */
  readonly changedAt: number
}

/** An advice of which nobody wants to hear now. It is heard again if its fix becomes another one. */
export interface PutOff {
  readonly kind: AdviceKind
  readonly fix: Fix
  readonly until: number
  /** who put it off */
  readonly by: string
}

/** A fix that somebody has taken over. */
export interface TakenFix {
  readonly kind: AdviceKind
  readonly settings: FixedSettings
  readonly at: number
  readonly before: EarlierSettings
}

/** The settings that a fix replaced, and since when they held. */
interface EarlierSettings extends FixableSettings {
  readonly changedAt: number
}

/** "Not now". */
export const PUT_OFF_DAYS = 30

/** The advice that nobody has put off, in the order in which it is said. */
export function spokenAdvice({ advice, putOff }: Pick<AdviceState, 'advice' | 'putOff'>, now: number): Advice[] {
  return advice.filter((each) => !putOff.some((one) => one.until > now && isOf(one, each)))
}

export function isPutOff({ putOff }: Pick<AdviceState, 'putOff'>, advice: Advice, now: number): boolean {
  return putOff.some((one) => one.until > now && isOf(one, advice))
}

/** @param by who puts it off */
export function puttingOff(putOff: readonly PutOff[], { kind, fix }: Advice, until: number, by: string): PutOff[] {
  return [...takingUp(putOff, { kind, fix }), { kind, fix, until, by }]
}

/** Without what was put off of that advice. */
export function takingUp(putOff: readonly PutOff[], advice: Pick<Advice, 'kind' | 'fix'>): PutOff[] {
  return putOff.filter((one) => !isOf(one, advice))
}

/** What is still put off. */
export function stillPutOff(putOff: readonly PutOff[], now: number): readonly PutOff[] {
  return putOff.filter(({ until }) => until > now)
}

function isOf({ kind, fix }: PutOff, advice: Pick<Advice, 'kind' | 'fix'>): boolean {
  return kind === advice.kind && JSON.stringify(fix) === JSON.stringify(advice.fix)
}

const SET_FIELDS = {
  timeout: 'timeoutSeconds',
  grace: 'graceSeconds',
  schedule: 'schedule',
  tz: 'tz',
  methods: 'methods',
} as const

/** The settings of a check by which a fix is told. */
export interface FixableSettings {
  readonly timeoutSeconds: number
  readonly graceSeconds: number
  readonly schedule: string
  readonly tz: string
  readonly methods: string
}

/**
 * The fix of the advice that an edit takes over; null if it is an edit of another kind.
 * @param before the edited settings @param now milliseconds since 1970
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
  const names = Object.keys(settings) as (keyof FixedSettings)[]
  const is = (check: FixableSettings) => names.every((name) => check[SET_FIELDS[name]] === settings[name])
  return is(after) && !is(before)
}

const COMPARED = ['timeoutSeconds', 'graceSeconds', 'schedule', 'tz'] as const

/** Since when the settings hold to which an edit takes a fix back: since before the fix, so that its advice is not lost. Null for other edits. */
export function heldSince(fixed: TakenFix | null, after: FixableSettings, now: number): number | null {
  if (fixed === null || now - fixed.at > UNDO_SECONDS * 1_000) return null
  return COMPARED.every((name) => fixed.before[name] === after[name]) ? fixed.before.changedAt : null
}
