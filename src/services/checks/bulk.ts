/** Changes many of a project's checks in one operation, and undoes such changes. */

import { makeToken, tokenLookup } from '../../domain/account/session.ts'
import { type Actor, isPersonActor, type PersonActor, requireRight } from '../../domain/actor.ts'
import { applyBulk, applyUndo, type BulkAction, type BulkChange, undoOf } from '../../domain/bulk/bulk.ts'
import { stampOf } from '../../domain/bulk/edit.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import { isPublicId } from '../../domain/check/public-id.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { isTag } from '../../domain/check/tags.ts'
import { Refusal } from '../../domain/errors.ts'
import { stackOf } from '../../lib/errors.ts'
import type { ChangedCheck, DecideEach, DecideUndo, UndoKey, UndoneChecks } from '../../store/store.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { rules } from '../common/rules.ts'
import { listChecks } from './checks.ts'

export type { BulkAction } from '../../domain/bulk/bulk.ts'

/** The state in which a user saw some checks: each check's stamp, by public id. */
export type SeenChecks = ReadonlyMap<string, string>

export type BulkDeps = Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'log' | 'eventLoop' | 'onPrunable'>

export interface BulkOutcome {
  readonly changed: number
  /** number of checks that did not need the change, could not be changed, or no longer exist */
  readonly unchanged: number
  /**
   * number of checks that were not processed, because an error stopped the change after other checks were changed; the error is in the log
   */
  readonly left: number
  /** token for {@link undoChange}, valid for an hour on all instances; null if nothing can be undone */
  readonly undo: string | null
}

/** Number of checks per transaction. A transaction takes about five milliseconds, and pings wait during that time. */
const CHANGED_AT_ONCE = 25
/**
 * Maximum product of the number of checks in a transaction and the number of the project's integrations. Each check is read, and
 * written to the audit log, along with its integrations.
 */
const ASSIGNMENTS_AT_ONCE = 5_000
/**
 * Maximum number of transactions that can be undone. The store keeps undo data for that many transactions in total. A change with more
 * transactions cannot be undone.
 */
const UNDONE_TRANSACTIONS = 1_600

/**
 * Changes checks. Each batch of 25 checks is one transaction and one change in the audit log. Batches are smaller if the project has more
 * than 200 integrations. If a transaction fails, earlier transactions stay in effect, and a person can undo them.
 * @param publicIds may contain duplicates, and ids of checks that no longer exist
 * @param seen the state in which the user saw the checks; if a check has changed since then or no longer exists, the operation stops; null
 * to change the checks regardless of their state
 * @throws Refusal `channel-not-found`; `checks-changed`; `invalid` for a tag with a space; any error, if nothing was changed before it
 */
export async function changeChecks(
  deps: BulkDeps,
  actor: Actor,
  publicIds: readonly string[],
  action: BulkAction,
  seen: SeenChecks | null = null,
): Promise<BulkOutcome> {
  requireRight(actor, 'write')
  if (action.kind === 'delete') return deleteChecks(deps, actor, publicIds)
  requireValid(action)
  const atOnce = await changedAtOnce(deps, actor)
  const { token, undoable } = undoing(deps, actor, action, distinct(publicIds).length <= UNDONE_TRANSACTIONS * atOnce)
  let changed = 0
  const stop = await inBatches(publicIds, atOnce, async (batch) => {
    const author = authorOf(deps, actor.by)
    const writes = deps.store.by(author)
    const found = new Set<string>()
    const decide: DecideEach = (before, channels) => {
      found.add(before.check.publicId)
      requireChannels(actor, action, channels)
      requireAsSeen(before, seen)
      return applyBulk(before, action, author.at)
    }
    const keeping = undoable && { ...undoable, stepsBefore: changed }
    const done = await deps.eventLoop.step(() =>
      writes.checks.changeMany(actor.project.id, batch, decide, rules(deps), keeping),
    )
    changed += done.length
    if (seen !== null && found.size < batch.length) throw checksChanged()
  })
  const left = stopped(deps, stop, changed)
  const unchanged = distinct(publicIds).length - changed - left
  return { changed, unchanged, left, undo: changed > 0 ? token : null }
}

/**
 * Returns the data for undoing the change. Only the person who made a change can undo it, so changes on the command line have no undo
 * data.
 */
function undoing(deps: BulkDeps, actor: Actor, action: BulkChange, isPossible: boolean) {
  if (!isPossible || !isPersonActor(actor)) return { token: null, undoable: null }
  const token = makeToken(deps.random.bytes)
  const undoable = {
    key: undoKey(actor, token),
    begunAt: deps.now(),
    undoOf: ({ before, change }: ChangedCheck) =>
      undoOf(before, action, { check: change.check, channelIds: change.channelIds ?? before.channelIds }),
  }
  return { token, undoable }
}

/** @throws Refusal `channel-not-found` if a channel that the change assigns was deleted in the meantime */
function requireChannels({ project }: Actor, action: BulkChange, channels: readonly Channel[]): void {
  const missing = assignedBy(action).find((wanted) => !channels.some(({ id }) => id === wanted))
  if (missing === undefined) return
  throw new Refusal('channel-not-found', 'the integration no longer exists', { name: missing, project: project.name })
}

function assignedBy(action: BulkChange): readonly string[] {
  if (action.kind === 'set') return action.settings.channelIds ?? []
  return 'channelId' in action && action.kind !== 'unassign' ? [action.channelId] : []
}

/** @throws Refusal `checks-changed` */
function requireAsSeen(found: CheckWithChannels, seen: SeenChecks | null): void {
  if (seen !== null && seen.get(found.check.publicId) !== stampOf(found)) throw checksChanged()
}

/** @param problems one problem for each check that has changed since the user saw it */
export function checksChanged(problems: readonly string[] = []): Refusal {
  const message = 'nothing was changed: some of the checks were changed, deleted or moved meanwhile'
  return new Refusal('checks-changed', message, { problems })
}

/** Returns the number of checks per transaction. */
export async function changedAtOnce({ store }: Pick<Deps, 'store'>, { project }: Actor): Promise<number> {
  const { length } = await store.channels.list(project.id)
  return Math.max(1, Math.min(CHANGED_AT_ONCE, Math.floor(ASSIGNMENTS_AT_ONCE / length)))
}

function requireValid(action: BulkChange): void {
  if ((action.kind === 'add-tag' || action.kind === 'remove-tag') && !isTag(action.tag)) {
    throw new Refusal('invalid', 'a tag is one word of at most 500 characters')
  }
}

async function deleteChecks(deps: BulkDeps, actor: Actor, publicIds: readonly string[]): Promise<BulkOutcome> {
  let changed = 0
  const stop = await inBatches(publicIds, await changedAtOnce(deps, actor), async (batch) => {
    const writes = deps.store.by(authorOf(deps, actor.by))
    changed += await deps.eventLoop.step(() => writes.checks.deleteMany(actor.project.id, batch))
  })
  if (changed > 0) deps.onPrunable()
  const left = stopped(deps, stop, changed)
  return { changed, unchanged: distinct(publicIds).length - changed - left, left, undo: null }
}

/** Assigns the channel to all checks in the project. */
export async function assignToAll(deps: BulkDeps, actor: PersonActor, channelId: string): Promise<BulkOutcome> {
  const publicIds: string[] = []
  for await (const page of listChecks(deps, actor, {})) publicIds.push(...page.map(({ check }) => check.publicId))
  return changeChecks(deps, actor, publicIds, { kind: 'assign', channelId })
}

interface UndoOutcome {
  /** number of checks that were restored */
  readonly undone: number
  /** number of restored checks that the change had created, and that are now deleted */
  readonly deleted: number
  /** number of checks that were not restored, because a ping or a user has changed them since then, or because they no longer exist */
  readonly kept: number
  /**
   * number of checks that were not processed, because an error stopped the undo after other checks were restored; the error is in the log
   */
  readonly left: number
  /** token for undoing the change for the remaining checks; null if none remain */
  readonly undo: string | null
}

/**
 * Restores checks that the same person changed in the same project. Does not create alerts. Each batch of 25 checks is one transaction,
 * which also removes the undo data of these checks.
 * @throws Refusal `undo-ended` if the token was used, if it is older than an hour, or if too many changes were made since then; any error,
 * if nothing was restored before it, in which case the token stays valid
 */
export async function undoChange(deps: BulkDeps, actor: PersonActor, token: string): Promise<UndoOutcome> {
  requireRight(actor, 'write')
  const key = undoKey(actor, token)
  let [undone, deleted, kept, left] = [0, 0, 0, 0]
  try {
    for (let step = await undoNext(deps, actor, key); step !== null; step = await undoNext(deps, actor, key)) {
      undone += step.undone
      deleted += step.deleted
      kept += step.kept
      left = step.left
    }
  } catch (error) {
    passIfBegun(deps, { error, changed: undone, left })
    return { undone, deleted, kept, left, undo: token }
  }
  if (deleted > 0) deps.onPrunable()
  if (undone + kept === 0) throw new Refusal('undo-ended', 'this can no longer be undone')
  return { undone, deleted, kept, left: 0, undo: null }
}

function undoNext(deps: BulkDeps, actor: PersonActor, key: UndoKey): Promise<UndoneChecks | null> {
  const writes = deps.store.by(authorOf(deps, actor.by))
  return deps.eventLoop.step(() => writes.checks.undo(key, deps.now(), decideUndo, rules(deps)))
}

const decideUndo: DecideUndo = (before, undo, channels) =>
  applyUndo(before, undo, new Set(channels.map(({ id }) => id)))

/** The point at which an error stopped a change. */
interface Stop {
  readonly error: unknown
  /** public ids of the checks that were not processed, including the batch that failed */
  readonly unreached: readonly string[]
}

/** @returns null if all batches were processed */
async function inBatches(
  publicIds: readonly string[],
  atOnce: number,
  take: (batch: readonly string[]) => Promise<void>,
): Promise<Stop | null> {
  const possible = distinct(publicIds).filter(isPublicId)
  for (let from = 0; from < possible.length; from += atOnce) {
    try {
      await take(possible.slice(from, from + atOnce))
    } catch (error) {
      return { error, unreached: possible.slice(from) }
    }
  }
  return null
}

/**
 * @param changed number of checks that were changed before the error
 * @returns the number of checks that were not processed
 * @throws the error, if nothing was changed before it
 */
function stopped(deps: BulkDeps, stop: Stop | null, changed: number): number {
  if (stop === null) return 0
  const left = stop.unreached.length
  passIfBegun(deps, { error: stop.error, changed, left })
  return left
}

interface HalfDone {
  readonly error: unknown
  readonly changed: number
  readonly left: number
}

/** Logs the error. @throws the error, if nothing was changed before it */
export function passIfBegun({ log }: BulkDeps, { error, changed, left }: HalfDone): void {
  if (changed === 0) throw error
  log('error', 'a bulk change of checks stopped half way', { changed, left, reason: stackOf(error) })
}

function distinct(publicIds: readonly string[]): string[] {
  return [...new Set(publicIds)]
}

/** Returns the key under which the undo data for the person's token is stored. */
export function undoKey({ project, by }: PersonActor, token: string): UndoKey {
  return { lookup: tokenLookup(token), accountId: by.accountId, projectId: project.id }
}
