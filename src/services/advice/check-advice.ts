/** The advice on one check, with the effect of each fix and the members' responses. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Advice, Fix, FixedSettings } from '../../domain/advice/advice.ts'
import { type PutOff, spokenAdvice, type TakenFix } from '../../domain/advice/stored-advice.ts'
import type { Woken } from '../../domain/advice/woken.ts'
import { applySpec, type Check } from '../../domain/check/check.ts'
import type { Deps } from '../common/deps.ts'
import { readPast } from './past.ts'
import { tryChange } from './try-change.ts'

export type AdviceDeps = Pick<Deps, 'store' | 'now' | 'eventLoop'>

export interface GivenAdvice {
  readonly advice: Advice
  /**
   * alerts, from the stored log, that the fix would have changed; null if the fix does not change the timing, or if the effect is unknown
   */
  readonly woken: Woken | null
}

export interface CheckAdvice {
  /** the first advice that is not hidden; null if there is none */
  readonly first: GivenAdvice | null
  readonly putOff: readonly PutOff[]
  /** the last fix that was applied; null if there is none */
  readonly fixed: TakenFix | null
}

const NO_ADVICE: CheckAdvice = { first: null, putOff: [], fixed: null }

export async function readCheckAdvice(deps: AdviceDeps, actor: Actor, check: Check): Promise<CheckAdvice> {
  requireRight(actor, 'read', check)
  const stored = await deps.store.advice.find(check.id)
  if (stored === null) return NO_ADVICE
  const first = spokenAdvice(stored, deps.now().epochMilliseconds)[0] ?? null
  const { putOff, fixed } = stored
  return { first: first && { advice: first, woken: await tryFix(deps, actor, check, first.fix) }, putOff, fixed }
}

/** Returns the alerts that the fix would have changed. Does not change anything. */
export async function tryFix(deps: AdviceDeps, actor: Actor, check: Check, fix: Fix): Promise<Woken | null> {
  if (!setsTiming(fix)) return null
  const { facts } = await readPast(deps, actor, check)
  const { kind, timeoutSeconds, schedule, tz, graceSeconds } = applySpec(check, fix.settings, false)
  const woken = await tryChange(deps, facts, { timing: { kind, timeoutSeconds, schedule, tz, graceSeconds } })
  return woken.over === null ? null : woken
}

/** Returns true if the fix changes the timing. Other fixes cannot be tried on a check's log. */
export function setsTiming(fix: Fix): fix is Extract<Fix, { do: 'set' }> {
  return fix.do === 'set' && fix.settings.methods === undefined
}

/** Returns true if the fix would have missed an outage, so that members should preview it first. */
export function isRisky(woken: Woken | null): boolean {
  return woken !== null && (woken.unfound.length > 0 || woken.notYet !== null)
}

/**
 * Counts the alerts that the fix would have prevented, minus the alerts that it would have added. The count assumes that the job would
 * have been rescheduled too, with its earlier runs on time.
 */
export function fewerAlerts(woken: Woken | null): number {
  return woken === null ? 0 : Math.max(0, woken.spared - woken.more.length)
}

/** Returns the fixes that change settings, for each piece of advice. The fix on the button comes first. */
export async function readReadings(
  deps: Pick<Deps, 'store' | 'now'>,
  actor: Actor,
  check: Check,
): Promise<readonly Readings[]> {
  requireRight(actor, 'write', check)
  const stored = await deps.store.advice.find(check.id)
  const open = stored === null ? [] : spokenAdvice(stored, deps.now().epochMilliseconds)
  return open.map((advice) => {
    const settings = [advice.fix, ...advice.otherFixes].flatMap((fix) => (fix.do === 'set' ? [fix.settings] : []))
    return { advice, settings }
  })
}

export interface Readings {
  readonly advice: Advice
  readonly settings: readonly FixedSettings[]
}
