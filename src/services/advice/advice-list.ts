/** All advice on a project's checks, for the advice page: open, hidden and applied. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Advice } from '../../domain/advice/advice.ts'
import { isPutOff, type PutOff, type TakenFix } from '../../domain/advice/stored-advice.ts'
import type { Check } from '../../domain/check/check.ts'
import type { RhythmProof } from '../../domain/rhythm-plot/proof.ts'
import type { StoredAdvice } from '../../store/store.ts'
import { countChecks, findChecks } from '../checks/checks.ts'
import { readPages } from '../common/pages.ts'
import { listPastSilences } from '../silences/silences.ts'
import { type AdviceDeps, fewerAlerts, type GivenAdvice, isRisky, setsTiming, tryFix } from './check-advice.ts'
import { isShownByRhythm, provenSince, readProofs } from './proofs.ts'

/** A piece of advice with its fix, and the checks that it applies to. */
export interface AdviceGroup {
  /** checks with this advice, in order of creation */
  readonly members: readonly [AdvisedCheck, ...AdvisedCheck[]]
  /** number of alerts that the fix would have prevented, minus the number that it would have added; 0 if unknown */
  readonly spared: number
  /** true if the fix would have missed an outage of one of the checks, or if its effect is unknown */
  readonly isRisky: boolean
  /** rhythm of the first member; null if it does not illustrate this advice, or was not read */
  readonly proof: RhythmProof | null
}

interface AdvisedCheck extends GivenAdvice {
  readonly check: Check
}

export interface PutOffCheck {
  readonly check: Check
  readonly advice: Advice
  readonly putOff: PutOff
}

export interface FixedCheck {
  readonly check: Check
  readonly fixed: TakenFix
}

export interface AdviceList {
  /** number of checks in the project */
  readonly checks: number
  /** groups, sorted by the number of alerts that the fix would have prevented, highest first */
  readonly open: readonly AdviceGroup[]
  readonly later: readonly PutOffCheck[]
  /** newest first */
  readonly done: readonly FixedCheck[]
  /** true if not all advice was read */
  readonly isCut: boolean
}

/** Limits the work for one page. Several lists can share one budget. */
export interface AdviceBudget {
  /** number of checks whose advice may still be read */
  checks: number
  /**
   * number of checks whose fixes may still be tried; replaying a check's log takes a few milliseconds; a group's fix is tried for either
   * all of its checks or none
   */
  replays: number
  /** number of groups whose rhythm may still be read */
  proofs: number
}

export function adviceBudget(): AdviceBudget {
  return { checks: 500, replays: 60, proofs: 50 }
}

export async function readAdviceList(deps: AdviceDeps, actor: Actor, budget = adviceBudget()): Promise<AdviceList> {
  requireRight(actor, 'read')
  const now = deps.now().epochMilliseconds
  const { stored, isCut } = await readStored(deps, actor, budget.checks)
  budget.checks -= stored.size
  const open: Untried[] = []
  const later: PutOffCheck[] = []
  const fixed = new Map((await deps.store.advice.listFixed(actor.project.id)).map((one) => [one.checkId, one.fixed]))
  const done: FixedCheck[] = []
  for await (const checks of findChecks(deps, actor, [...new Set([...stored.keys(), ...fixed.keys()])])) {
    for (const { check } of checks) {
      const one = stored.get(check.id)
      for (const advice of one?.advice ?? []) {
        const putOff = one?.putOff.find((each) => isPutOff({ putOff: [each] }, advice, now))
        if (putOff) later.push({ check, advice, putOff })
        else open.push({ check, advice })
      }
      const taken = fixed.get(check.id)
      if (taken) done.push({ check, fixed: taken })
    }
  }
  const sorted = done.toSorted((a, b) => b.fixed.at - a.fixed.at)
  return {
    checks: await countChecks(deps, actor),
    open: await proven(deps, actor, await tried(deps, actor, open, budget), stored, budget),
    later,
    done: sorted,
    isCut,
  }
}

async function readStored({ store }: AdviceDeps, { project }: Actor, limit: number) {
  const stored = new Map<string, StoredAdvice>()
  for await (const page of readPages((after) => store.advice.list(project.id, after))) {
    for (const one of page) stored.set(one.checkId, one)
    if (stored.size >= limit) return { stored, isCut: true }
  }
  return { stored, isCut: false }
}

type Untried = Omit<AdvisedCheck, 'woken'>

async function tried(
  deps: AdviceDeps,
  actor: Actor,
  open: readonly Untried[],
  budget: AdviceBudget,
): Promise<readonly Omit<AdviceGroup, 'proof'>[]> {
  const groups: Omit<AdviceGroup, 'proof'>[] = []
  const byFix = Map.groupBy(open, ({ check, advice: { kind, variant, fix } }) =>
    // If two checks belong to the same job, each check's advice names the other check.
    JSON.stringify([kind, variant, fix, kind === 'twins' && check.id]),
  )
  for (const [first, ...others] of byFix.values()) {
    if (first === undefined) continue
    const isTiming = setsTiming(first.advice.fix)
    const isTried = isTiming && 1 + others.length <= budget.replays
    if (isTried) budget.replays -= 1 + others.length
    const tryOne = async (one: Untried): Promise<AdvisedCheck> => ({
      ...one,
      woken: isTried ? await tryFix(deps, actor, one.check, one.advice.fix) : null,
    })
    const members: [AdvisedCheck, ...AdvisedCheck[]] = [await tryOne(first)]
    for (const one of others) members.push(await tryOne(one))
    const spared = members.reduce((sum, { woken }) => sum + fewerAlerts(woken), 0)
    groups.push({ members, spared, isRisky: isTiming !== isTried || members.some(({ woken }) => isRisky(woken)) })
  }
  return groups.toSorted((a, b) => b.spared - a.spared || gainedBy(b) - gainedBy(a))
}

/** Adds the rhythm to the first groups, until the budget is used up. */
async function proven(
  deps: AdviceDeps,
  actor: Actor,
  groups: readonly Omit<AdviceGroup, 'proof'>[],
  stored: ReadonlyMap<string, StoredAdvice>,
  budget: AdviceBudget,
): Promise<readonly AdviceGroup[]> {
  const shown = groups
    .filter(({ members: [{ advice }] }) => isShownByRhythm(advice.kind))
    .slice(0, budget.proofs)
    .map(({ members: [{ check }] }) => ({ check, changedAt: stored.get(check.id)?.changedAt ?? 0 }))
  budget.proofs -= shown.length
  const now = deps.now()
  const silences = shown.length === 0 ? [] : await listPastSilences(deps, actor, provenSince(now), now)
  const proofs = await readProofs(deps, shown, silences, now)
  return groups.map((group) => {
    const [{ check, advice }] = group.members
    return { ...group, proof: isShownByRhythm(advice.kind) ? (proofs.get(check.id) ?? null) : null }
  })
}

/** Counts the outages that alerted nobody but would have been detected with the fix. */
function gainedBy({ members }: Pick<AdviceGroup, 'members'>): number {
  return members.reduce((sum, { woken }) => sum + (woken?.gained.length ?? 0), 0)
}
