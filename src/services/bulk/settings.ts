/** Previews and applies the same settings to several checks. The preview shows the effect on each check and its alerts. */
import { type Actor, type PersonActor, requireRight } from '../../domain/actor.ts'
import { type EditedCheck, editCheck, isEdited, type SettingsEdit, stampOf } from '../../domain/bulk/edit.ts'
import type { Check } from '../../domain/check/check.ts'
import { isPublicId } from '../../domain/check/public-id.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { Refusal } from '../../domain/errors.ts'
import { timingOf } from '../../domain/preview/schedule-preview.ts'
import { readPast } from '../advice/past.ts'
import { tryChange } from '../advice/try-change.ts'
import {
  type BulkDeps,
  type BulkOutcome,
  changeChecks,
  checksChanged,
  type SeenChecks,
  undoChange,
} from '../checks/bulk.ts'
import type { Deps } from '../common/deps.ts'

/** Maximum number of checks in one change. All checks are read before the change, and the form contains a stamp for each. */
export const SETTINGS_CHECKS_LIMIT = 2_000
/** Maximum number of logs that one preview replays. Replaying a log takes up to ten milliseconds. */
export const TRIED_LIMIT = 100

export interface TriedCheck {
  readonly before: CheckWithChannels
  readonly after: EditedCheck
  readonly isChanged: boolean
  /** alerts of the last 30 days; null if the timing does not change, if the log contains no run, or if {@link TRIED_LIMIT} is exceeded */
  readonly alerts: TriedAlerts | null
}

interface TriedAlerts {
  readonly present: number
  readonly tried: number
  /** number of outages that would have been missed */
  readonly missed: number
}

type ReadDeps = Pick<Deps, 'store' | 'now' | 'eventLoop'>

/** Returns the project's checks with these public ids, in the order of the ids, without duplicates. */
export async function readSelected(
  { store }: Pick<Deps, 'store'>,
  actor: Actor,
  publicIds: readonly string[],
): Promise<readonly CheckWithChannels[]> {
  requireRight(actor, 'read')
  const found: CheckWithChannels[] = []
  for (const publicId of new Set(publicIds.filter(isPublicId))) {
    const one = await store.checks.findByPublicId(actor.project.id, publicId)
    if (one !== null) found.push(one)
  }
  return found
}

/** Previews the change without changing anything. The work yields to the event loop, so that the server can answer pings in between. */
export async function trySettings(
  deps: ReadDeps,
  actor: Actor,
  checks: readonly CheckWithChannels[],
  edit: SettingsEdit,
): Promise<readonly TriedCheck[]> {
  const tried: TriedCheck[] = []
  let replays = 0
  for (const before of checks) {
    const after = await deps.eventLoop.step(async () => editCheck(before, edit))
    const isTried = replays < TRIED_LIMIT && !isSameTiming(before.check, after.check)
    if (isTried) replays += 1
    const alerts = isTried ? await tryAlerts(deps, actor, before.check, after.check) : null
    tried.push({ before, after, isChanged: isEdited(before, after), alerts })
  }
  return tried
}

function isSameTiming(a: Check, b: Check): boolean {
  return JSON.stringify(timingOf(a)) === JSON.stringify(timingOf(b))
}

async function tryAlerts(deps: ReadDeps, actor: Actor, before: Check, after: Check): Promise<TriedAlerts | null> {
  const { facts } = await readPast(deps, actor, before)
  const { recent, unfound, notYet } = await tryChange(deps, facts, { timing: timingOf(after) })
  if (recent === null) return null
  return { present: recent.alerts, tried: recent.alertsThen, missed: unfound.length + (notYet === null ? 0 : 1) }
}

/**
 * Applies the change, but only if no check has changed since the user saw it. Otherwise nothing changes.
 * @throws Refusal `checks-changed` with the changed checks; errors from `changeChecks`
 */
export async function changeSettings(
  deps: BulkDeps,
  actor: PersonActor,
  seen: SeenChecks,
  settings: SettingsEdit,
): Promise<BulkOutcome> {
  requireRight(actor, 'write')
  const before = await differences(deps, actor, seen)
  if (before.length > 0) throw checksChanged(before)
  const outcome = await changeChecks(deps, actor, [...seen.keys()], { kind: 'set', settings }, seen)
  if (outcome.left === 0 || outcome.undo === null) return outcome
  // A later transaction found that a check had just been changed, or the store failed.
  const { left, undo } = await undoChange(deps, actor, outcome.undo)
  if (left > 0) return { ...outcome, changed: left, undo }
  const since = await differences(deps, actor, seen)
  throw since.length > 0 ? checksChanged(since) : new Refusal('overloaded', STORE_FAILED)
}

const STORE_FAILED = 'nothing was changed: an error stopped the change, see the server log; try again'

/** Returns a sentence for each check that has changed since the user saw it. */
async function differences(deps: Pick<Deps, 'store'>, actor: Actor, seen: SeenChecks): Promise<readonly string[]> {
  const found = await readSelected(deps, actor, [...seen.keys()])
  const changed = found.filter((one) => stampOf(one) !== seen.get(one.check.publicId))
  const gone = seen.size - found.length
  return [
    ...changed.map(({ check }) => `Somebody has changed ‘${check.name || 'no name'}’.`),
    ...(gone === 0 ? [] : [gone === 1 ? 'A check was deleted or moved.' : `${gone} checks were deleted or moved.`]),
  ]
}
