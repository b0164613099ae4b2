/** Changes many checks of a project at once, and undoes that. */

import { makeToken } from '../domain/account/session.ts'
import { type PersonActor, requireRight } from '../domain/actor.ts'
import { applyBulk, applyUndo, type BulkAction, type BulkChange, undoOf } from '../domain/check/bulk.ts'
import { isPublicId } from '../domain/check/public-id.ts'
import { isTag } from '../domain/check/tags.ts'
import { Refusal } from '../domain/errors.ts'
import { stackOf } from '../lib/errors.ts'
import type { Instant } from '../lib/time.ts'
import type { DecideEach } from '../store/store.ts'
import { authorOf } from './author.ts'
import type { Deps } from './deps.ts'
import { rules } from './rules.ts'
import type { UndoOwner, UndoStep } from './undo-memory.ts'

export type { BulkAction } from '../domain/check/bulk.ts'

export type BulkDeps = Pick<
  Deps,
  'store' | 'now' | 'random' | 'transports' | 'log' | 'eventLoop' | 'undos' | 'onPrunable'
>

export interface BulkOutcome {
  readonly changed: number
  /** were so already, could not be changed, or are gone */
  readonly unchanged: number
  /** were not reached, because an error stopped the change after others were changed; the log has the error */
  readonly left: number
  /** for {@link undoChange}, within an hour; null when nothing can be undone */
  readonly undo: string | null
}

/** Such a transaction takes about five milliseconds, for which pings wait. */
const CHANGED_AT_ONCE = 25

/**
 * Each 25 checks are one transaction and one change in the audit log. If one fails, the earlier ones remain and can be undone.
 * @param publicIds may name a check twice, and checks that are gone
 * @throws Refusal `channel-not-found`; `invalid` for a tag with a space; any error before which nothing was changed
 */
export async function changeChecks(
  deps: BulkDeps,
  actor: PersonActor,
  publicIds: readonly string[],
  action: BulkAction,
): Promise<BulkOutcome> {
  requireRight(actor, 'write')
  if (action.kind === 'delete') return deleteChecks(deps, actor, publicIds)
  requireValid(action)
  const decideAt =
    (at: Instant): DecideEach =>
    (before, channels) => {
      if (action.kind === 'assign' && !channels.some(({ id }) => id === action.channelId)) {
        const { name: project } = actor.project
        throw new Refusal('channel-not-found', 'the integration no longer exists', { name: action.channelId, project })
      }
      return applyBulk(before, action, at)
    }
  const steps: UndoStep[] = []
  const stop = await inBatches(publicIds, async (batch) => {
    const author = authorOf(deps, actor.by)
    const writes = deps.store.by(author)
    const decide = decideAt(author.at)
    const changed = await deps.eventLoop.step(() => writes.changeChecks(actor.project.id, batch, decide, rules(deps)))
    for (const { before, change } of changed) {
      steps.push({ publicId: before.check.publicId, undo: undoOf(before.check, action, change.check) })
    }
  })
  const left = stopped(deps, stop, steps.length)
  const unchanged = distinct(publicIds).length - steps.length - left
  return { changed: steps.length, unchanged, left, undo: keep(deps, actor, steps) }
}

function requireValid(action: BulkChange): void {
  if ((action.kind === 'add-tag' || action.kind === 'remove-tag') && !isTag(action.tag)) {
    throw new Refusal('invalid', 'a tag is one word of at most 500 characters')
  }
}

async function deleteChecks(deps: BulkDeps, actor: PersonActor, publicIds: readonly string[]): Promise<BulkOutcome> {
  let changed = 0
  const stop = await inBatches(publicIds, async (batch) => {
    const writes = deps.store.by(authorOf(deps, actor.by))
    changed += await deps.eventLoop.step(() => writes.deleteChecks(actor.project.id, batch))
  })
  if (changed > 0) deps.onPrunable()
  const left = stopped(deps, stop, changed)
  return { changed, unchanged: distinct(publicIds).length - changed - left, left, undo: null }
}

export interface UndoOutcome {
  /** as they were before the change */
  readonly undone: number
  /** stay as they are, because a ping or somebody has changed them since, or they are gone */
  readonly kept: number
  /** were not reached, because an error stopped it after others were put back; the log has the error */
  readonly left: number
  /** for those that are left; null when none is */
  readonly undo: string | null
}

/**
 * Puts the checks back that a change by the same person in the same project has changed. No alert is owed by that.
 * @throws Refusal `undo-ended` when the token was used, is older than an hour, or the server was restarted since; any error
 * before which nothing was put back, and then the token goes on working
 */
export async function undoChange(deps: BulkDeps, actor: PersonActor, token: string): Promise<UndoOutcome> {
  requireRight(actor, 'write')
  const steps = deps.undos.take(token, ownerOf(actor), deps.now())
  if (steps === null) throw new Refusal('undo-ended', 'this can no longer be undone')
  const undos = new Map(steps.map(({ publicId, undo }) => [publicId, undo]))
  const decide: DecideEach = (before, channels) => {
    const undo = undos.get(before.check.publicId)
    return undo ? applyUndo(before, undo, new Set(channels.map(({ id }) => id))) : null
  }
  let undone = 0
  const stop = await inBatches([...undos.keys()], async (batch) => {
    const writes = deps.store.by(authorOf(deps, actor.by))
    const changed = await deps.eventLoop.step(() => writes.changeChecks(actor.project.id, batch, decide, rules(deps)))
    undone += changed.length
  })
  if (stop && undone === 0) deps.undos.keep(token, ownerOf(actor), steps, deps.now())
  const left = stopped(deps, stop, undone)
  const unreached = new Set(stop?.unreached)
  const rest = steps.filter(({ publicId }) => unreached.has(publicId))
  return { undone, kept: steps.length - undone - left, left, undo: keep(deps, actor, rest) }
}

/** Where an error stopped a change. */
interface Stop {
  readonly error: unknown
  /** public ids, with those of the batch that failed */
  readonly unreached: readonly string[]
}

/** @returns null when all batches were taken */
async function inBatches(
  publicIds: readonly string[],
  take: (batch: readonly string[]) => Promise<void>,
): Promise<Stop | null> {
  const possible = distinct(publicIds).filter(isPublicId)
  for (let from = 0; from < possible.length; from += CHANGED_AT_ONCE) {
    try {
      await take(possible.slice(from, from + CHANGED_AT_ONCE))
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
function stopped({ log }: BulkDeps, stop: Stop | null, changed: number): number {
  if (stop === null) return 0
  if (changed === 0) throw stop.error
  const left = stop.unreached.length
  log('error', 'a change of many checks stopped half way', { changed, left, reason: stackOf(stop.error) })
  return left
}

function distinct(publicIds: readonly string[]): string[] {
  return [...new Set(publicIds)]
}

function keep({ undos, random, now }: BulkDeps, actor: PersonActor, steps: readonly UndoStep[]): string | null {
  const token = makeToken(random.bytes)
  return steps.length > 0 && undos.keep(token, ownerOf(actor), steps, now()) ? token : null
}

function ownerOf({ project, by }: PersonActor): UndoOwner {
  return { accountId: by.accountId, projectId: project.id }
}
