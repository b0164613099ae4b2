/** Changes many checks of a project at once, and undoes that. */

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

/** Checks as somebody has seen them: the stamp of each by its public id. */
export type SeenChecks = ReadonlyMap<string, string>

export type BulkDeps = Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'log' | 'eventLoop' | 'onPrunable'>

export interface BulkOutcome {
  readonly changed: number
  /** were so already, could not be changed, or are gone */
  readonly unchanged: number
  /** were not reached, because an error stopped the change after others were changed; the log has the error */
  readonly left: number
  /** for {@link undoChange}, on any instance, within an hour; null when nothing can be undone */
  readonly undo: string | null
}

/** Such a transaction takes about five milliseconds, for which pings wait. */
const CHANGED_AT_ONCE = 25
/** Checks of a transaction times integrations of the project: each check is read, and written to the audit log, with those that it tells. */
const ASSIGNMENTS_AT_ONCE = 5_000
/** As many as the store keeps of all changes. A change in more transactions cannot be undone. */
const UNDONE_TRANSACTIONS = 1_600

/**
 * Each 25 checks are one transaction and one change in the audit log; fewer if the project has more than 200 integrations. If one fails, the
 * earlier ones remain and can be undone, by a person.
 * @param publicIds may name a check twice, and checks that are gone
 * @param seen null: the checks are changed as they are; otherwise one that has changed since, or is gone, stops it
 * @throws Refusal `channel-not-found`; `checks-changed`; `invalid` for a tag with a space; any error before which nothing was changed
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

/** What is kept so that the person who makes the change can undo it. A change on the command line has no such person. */
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

/** @throws Refusal `channel-not-found` when a channel that the change assigns was deleted meanwhile */
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

/** @param problems one for each check that is not as it was seen */
export function checksChanged(problems: readonly string[] = []): Refusal {
  const message = 'nothing was changed: somebody has changed, deleted or moved some of the checks since'
  return new Refusal('checks-changed', message, { problems })
}

/** How many checks a transaction changes. */
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

/** Assigns the channel to all checks of the project. */
export async function assignToAll(deps: BulkDeps, actor: PersonActor, channelId: string): Promise<BulkOutcome> {
  const publicIds: string[] = []
  for await (const page of listChecks(deps, actor, {})) publicIds.push(...page.map(({ check }) => check.publicId))
  return changeChecks(deps, actor, publicIds, { kind: 'assign', channelId })
}

interface UndoOutcome {
  /** as they were before the change */
  readonly undone: number
  /** of these, those that the change had created, and that are deleted */
  readonly deleted: number
  /** stay as they are, because a ping or somebody has changed them since, or they are gone */
  readonly kept: number
  /** were not reached, because an error stopped it after others were put back; the log has the error */
  readonly left: number
  /** for those that are left; null when none is */
  readonly undo: string | null
}

/**
 * Puts the checks back that a change by the same person in the same project has changed. No alert is owed by that. Each 25 checks are
 * one transaction, in which what undoes them is removed.
 * @throws Refusal `undo-ended` when the token was used, is older than an hour, or many changes were made since; any error before which
 * nothing was put back, and then the token goes on working
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

/** Where an error stopped a change. */
interface Stop {
  readonly error: unknown
  /** public ids, with those of the batch that failed */
  readonly unreached: readonly string[]
}

/** @returns null when all batches were taken */
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
 * @param changed number of checks that were changed before it
 * @returns number of checks that were not reached
 * @throws the error, when nothing was changed before it
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

/** Logs the error. @throws it, when nothing was changed before it */
export function passIfBegun({ log }: BulkDeps, { error, changed, left }: HalfDone): void {
  if (changed === 0) throw error
  log('error', 'a change of many checks stopped half way', { changed, left, reason: stackOf(error) })
}

function distinct(publicIds: readonly string[]): string[] {
  return [...new Set(publicIds)]
}

/** Who may undo the change with that token. */
export function undoKey({ project, by }: PersonActor, token: string): UndoKey {
  return { lookup: tokenLookup(token), accountId: by.accountId, projectId: project.id }
}
