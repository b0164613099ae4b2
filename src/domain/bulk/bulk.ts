/** Bulk changes to checks, and how to undo them. */
import type { Instant } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import { pause, resume, watch } from '../check/pause.ts'
import type { CheckWithChannels } from '../check/representation.ts'
import { isTagsText, splitTags } from '../check/tags.ts'
import { type CreationUndo, isAsCreated } from './creation.ts'
import {
  type EditedSettings,
  editCheck,
  editedSettings,
  isEdited,
  isSameChannels,
  isSameSettings,
  type SettingsEdit,
} from './edit.ts'

/** Kinds of changes that can be undone. */
export type BulkChange =
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'watch' }
  | { readonly kind: 'add-tag'; readonly tag: string }
  | { readonly kind: 'remove-tag'; readonly tag: string }
  | { readonly kind: 'set'; readonly settings: SettingsEdit }
  | { readonly kind: 'assign'; readonly channelId: string }
  | { readonly kind: 'unassign'; readonly channelId: string }
  /** `to`: public ids of the checks that the channel is assigned to. The channel is removed from all other checks */
  | { readonly kind: 'assign-some'; readonly channelId: string; readonly to: ReadonlySet<string> }

export type BulkAction = BulkChange | { readonly kind: 'delete' }

/** A change's effect on one check. */
interface BulkResult {
  readonly check: Check
  readonly flip?: Flip
  /** ids of the channels assigned to the check; omitted if the change does not affect channels */
  readonly channelIds?: readonly string[]
}

/** @returns null if the change has no effect, because the check is already in that state or can't have another tag */
export function applyBulk(before: CheckWithChannels, change: BulkChange, now: Instant): BulkResult | null {
  const { check } = before
  switch (change.kind) {
    case 'pause':
      return pause(check, now)
    case 'resume':
      return resume(check, now)
    case 'watch':
      return watch(check, now)
    case 'add-tag':
      return withTags(check, [...splitTags(check.tags), change.tag])
    case 'remove-tag':
      return withTags(
        check,
        splitTags(check.tags).filter((tag) => tag !== change.tag),
      )
    case 'set': {
      const after = editCheck(before, change.settings)
      if (!isEdited(before, after)) return null
      return isSameChannels(before.channelIds, after.channelIds) ? { check: after.check } : after
    }
    case 'assign':
    case 'unassign':
    case 'assign-some':
      return assign(before, change.channelId, isAssigned(change, check))
  }
}

type Assignment = Extract<BulkChange, { readonly channelId: string }>

/** Whether the channel is assigned to the check after the change. */
function isAssigned(change: Assignment, { publicId }: Check): boolean {
  return change.kind === 'assign-some' ? change.to.has(publicId) : change.kind === 'assign'
}

function assign({ check, channelIds }: CheckWithChannels, channelId: string, isOn: boolean): BulkResult | null {
  if (channelIds.includes(channelId) === isOn) return null
  return { check, channelIds: isOn ? [...channelIds, channelId] : channelIds.filter((id) => id !== channelId) }
}

function withTags(check: Check, tags: readonly string[]): BulkResult | null {
  const distinct = [...new Set(tags)]
  const text = distinct.join(' ')
  if (distinct.length === splitTags(check.tags).length || !isTagsText(text)) return null
  return { check: { ...check, tags: text } }
}

/** Fields that are changed when a user pauses a check, resumes it or starts monitoring it. A flip is recorded too. */
type State = Pick<
  Check,
  'status' | 'nEvents' | 'lastPingAt' | 'lastStartAt' | 'lastStartOccurredAt' | 'lastStartRid' | 'sparedUntil' | 'runs'
>

/** The data needed to restore one check. */
export type Undo =
  | { readonly kind: 'state'; readonly before: State; readonly after: Pick<Check, 'nPings' | 'nEvents' | 'status'> }
  | { readonly kind: 'tags'; readonly before: string; readonly after: string }
  | ({ readonly kind: 'settings'; readonly channelIds?: BeforeAfter<readonly string[]> } & BeforeAfter<EditedSettings>)
  /** `before`: whether the channel was assigned before the change */
  | { readonly kind: 'channel'; readonly channelId: string; readonly before: boolean }
  | CreationUndo

interface BeforeAfter<Value> {
  readonly before: Value
  readonly after: Value
}

/** The data needed to undo a change for one of its checks. */
export interface UndoStep {
  readonly publicId: string
  readonly undo: Undo
}

export const UNDO_SECONDS = 3_600

export function undoOf(was: CheckWithChannels, change: BulkChange, is: CheckWithChannels): Undo {
  const [before, check] = [was.check, is.check]
  if ('channelId' in change) {
    return { kind: 'channel', channelId: change.channelId, before: !isAssigned(change, check) }
  }
  if ('tag' in change) return { kind: 'tags', before: before.tags, after: check.tags }
  if ('settings' in change) {
    const channelIds = { before: was.channelIds, after: is.channelIds }
    const settings = { before: editedSettings(before), after: editedSettings(check) }
    return {
      kind: 'settings',
      ...settings,
      ...(isSameChannels(channelIds.before, channelIds.after) ? {} : { channelIds }),
    }
  }
  const { nPings, nEvents, status } = check
  return { kind: 'state', before: stateOf(before), after: { nPings, nEvents, status } }
}

function stateOf(check: Check): State {
  const { status, nEvents, lastPingAt, lastStartAt, lastStartOccurredAt, lastStartRid, sparedUntil, runs } = check
  return { status, nEvents, lastPingAt, lastStartAt, lastStartOccurredAt, lastStartRid, sparedUntil, runs }
}

interface Undone extends Omit<BulkResult, 'flip'> {
  /** number of the flip that the change recorded; the flip is deleted when the change is undone */
  readonly undoneFlip?: number
}

/**
 * Returns the check as it was before the change.
 * @param existing ids of the channels that still exist
 * @returns `delete` if the change created the check; null if a user or a ping has changed the same values since
 */
export function applyUndo(now: CheckWithChannels, undo: Undo, existing: ReadonlySet<string>): Undone | 'delete' | null {
  const { check, channelIds } = now
  switch (undo.kind) {
    case 'creation':
      return isAsCreated(now, undo, existing) ? 'delete' : null
    case 'state': {
      const { nPings, nEvents, status } = undo.after
      const isSame = check.nPings === nPings && check.nEvents === nEvents && check.status === status
      return isSame ? { check: { ...check, ...undo.before }, undoneFlip: nEvents } : null
    }
    case 'tags':
      return check.tags === undo.after ? { check: { ...check, tags: undo.before } } : null
    case 'settings':
      return undoSettings(now, undo, existing)
    case 'channel': {
      const { channelId, before } = undo
      if (channelIds.includes(channelId) === before || !existing.has(channelId)) return null
      const rest = channelIds.filter((id) => id !== channelId)
      return { check, channelIds: before ? [...rest, channelId] : rest }
    }
  }
}

/** Restores settings and channels. If a channel was deleted in the meantime, the check still counts as unchanged. */
function undoSettings(
  { check, channelIds }: CheckWithChannels,
  { before, after, channelIds: channels }: Extract<Undo, { readonly kind: 'settings' }>,
  existing: ReadonlySet<string>,
): Undone | null {
  if (!isSameSettings(editedSettings(check), after)) return null
  const undone = { check: { ...check, ...before } }
  if (channels === undefined) return undone
  const thatExist = (ids: readonly string[]) => ids.filter((id) => existing.has(id))
  if (!isSameChannels(channelIds, thatExist(channels.after))) return null
  return { ...undone, channelIds: thatExist(channels.before) }
}
