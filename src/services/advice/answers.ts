/** Lets members respond to advice: apply its fix, hide the advice, or show it again. */
import { type Actor, type PersonActor, requireRight } from '../../domain/actor.ts'
import type { Advice, Fix } from '../../domain/advice/advice.ts'
import { PUT_OFF_DAYS } from '../../domain/advice/stored-advice.ts'
import { isPublicId } from '../../domain/check/public-id.ts'
import { Refusal } from '../../domain/errors.ts'
import { addSeconds, type Instant } from '../../lib/time.ts'
import { type BulkDeps, type BulkOutcome, changeChecks } from '../checks/bulk.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { lookIfStale, tryToLook } from '../looks/fresh-look.ts'
import type { LookDeps } from '../looks/looks.ts'

/** A piece of advice that a submitted form refers to. */
export interface NamedAdvice {
  readonly kind: string
  readonly variant: string
  /** the chosen fix, as JSON: the main fix or one of its alternatives */
  readonly fix: string
}

/** Maximum number of checks that are examined immediately before and after a fix. The background loop examines the other checks. */
const LOOKED_AT = 20

interface FixOutcome extends BulkOutcome {
  readonly fix: Fix
  /** public id of the first check with the advice */
  readonly publicId: string
}

/**
 * Applies the fix to every check that still has the advice. The fix is an ordinary edit, which members can undo.
 * @throws Refusal `advice-withdrawn` if the advice no longer applies to any check; errors from `changeChecks`
 */
export async function takeFix(
  deps: BulkDeps & LookDeps,
  actor: PersonActor,
  publicIds: readonly string[],
  named: NamedAdvice,
): Promise<FixOutcome> {
  await lookAtStale(deps, actor, publicIds)
  const advised = await findAdvised(deps, actor, publicIds, named)
  const [{ fix, publicId }] = advised
  if (fix.do !== 'set' && fix.do !== 'resume') throw new Refusal('invalid', 'this advice has no one-click fix')
  const action = fix.do === 'set' ? ({ kind: 'set', settings: fix.settings } as const) : ({ kind: 'resume' } as const)
  const ids = advised.map((one) => one.publicId)
  const outcome = await changeChecks(deps, actor, ids, action)
  for (const { checkId } of advised.slice(0, LOOKED_AT)) await tryToLook(deps, checkId)
  return { fix, publicId, ...outcome }
}

/** Re-examines the checks, because the submitted page may have been loaded hours ago. */
async function lookAtStale(deps: LookDeps, actor: PersonActor, publicIds: readonly string[]): Promise<void> {
  for (const publicId of publicIds.filter(isPublicId).slice(0, LOOKED_AT)) {
    const found = await deps.store.checks.findByPublicId(actor.project.id, publicId)
    if (found) await lookIfStale(deps, actor, found.check)
  }
}

type PutOffDeps = Pick<Deps, 'store' | 'now' | 'random'>

/**
 * Hides the advice for 30 days, or until the advice changes.
 * @returns the time at which it will be shown again, and the public id of the first check with the advice
 * @throws Refusal `advice-withdrawn`
 */
export async function putOffAdvice(
  deps: PutOffDeps,
  actor: Actor,
  publicIds: readonly string[],
  named: NamedAdvice,
): Promise<{ readonly until: Instant; readonly publicId: string }> {
  const until = addSeconds(deps.now(), PUT_OFF_DAYS * 86_400)
  return { until, publicId: await putOffUntil(deps, actor, publicIds, named, until) }
}

/** Shows hidden advice again. @throws Refusal `advice-withdrawn` */
export async function takeUpAdvice(
  deps: PutOffDeps,
  actor: Actor,
  publicIds: readonly string[],
  named: NamedAdvice,
): Promise<void> {
  await putOffUntil(deps, actor, publicIds, named, null)
}

async function putOffUntil(
  deps: PutOffDeps,
  actor: Actor,
  publicIds: readonly string[],
  named: NamedAdvice,
  until: Instant | null,
): Promise<string> {
  const advised = await findAdvised(deps, actor, publicIds, named)
  for (const { checkId, advice } of advised) {
    const author = authorOf(deps, actor.by)
    await deps.store.by(author).advice.putOff(checkId, advice, until, author.at)
  }
  return advised[0].publicId
}

interface Advised {
  readonly checkId: string
  readonly publicId: string
  readonly advice: Advice
  /** the fix that the form refers to */
  readonly fix: Fix
}

/** @throws Refusal `advice-withdrawn` if the advice no longer applies to any check */
async function findAdvised(
  { store }: Pick<Deps, 'store'>,
  actor: Actor,
  publicIds: readonly string[],
  { kind, variant, fix }: NamedAdvice,
): Promise<readonly [Advised, ...Advised[]]> {
  requireRight(actor, 'write')
  const advised: Advised[] = []
  for (const publicId of new Set(publicIds.filter(isPublicId))) {
    const found = await store.checks.findByPublicId(actor.project.id, publicId)
    const stored = found && (await store.advice.find(found.check.id))
    for (const advice of stored?.advice ?? []) {
      const named = [advice.fix, ...advice.otherFixes].find((each) => JSON.stringify(each) === fix)
      if (advice.kind === kind && advice.variant === variant && found && named)
        advised.push({ checkId: found.check.id, publicId, advice, fix: named })
    }
  }
  const [first, ...others] = advised
  if (first === undefined) throw withdrawn()
  return [first, ...others]
}

function withdrawn(): Refusal {
  return new Refusal(
    'advice-withdrawn',
    'the advice no longer applies: someone has changed the check, or its job runs differently',
  )
}
