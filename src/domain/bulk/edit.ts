/** Edits the settings of several checks. Settings that are not part of the edit stay the same. */
import { createHash } from 'node:crypto'
import { applySpec, type Check, type CheckSpec } from '../check/check.ts'
import type { CheckWithChannels } from '../check/representation.ts'
import { isTagsText, splitTags, TAGS_LIMIT } from '../check/tags.ts'
import { moveSchedule } from '../schedule/move-schedule.ts'

export interface SettingsEdit extends Pick<CheckSpec, 'timeout' | 'grace' | 'schedule' | 'tz' | 'methods'> {
  /** number of minutes by which to shift times of day; negative for earlier. Never set together with `timeout` or `schedule` */
  readonly moveBy?: number
  readonly addTags?: readonly string[]
  readonly removeTags?: readonly string[]
  /** ids of the channels that replace the current ones */
  readonly channelIds?: readonly string[]
}

export interface EditedCheck extends CheckWithChannels {
  /** sentences that explain which parts of the edit do not apply to this check, and why */
  readonly kept: readonly string[]
}

/** Returns the check after the edit. An edit never changes the check's state. Of the label fields, it can change only the tags. */
export function editCheck({ check, channelIds }: CheckWithChannels, edit: SettingsEdit): EditedCheck {
  const moved = edit.moveBy === undefined ? null : moveTimes(check, edit.moveBy)
  const timed = applySpec(check, { ...specOf(edit), ...moved?.spec }, false)
  // A simple check does not use its zone, but the zone is stored in case the check becomes a cron check again.
  const isZoneless = timed.kind === 'simple' && edit.tz !== undefined
  const tags = editTags(check.tags, edit)
  return {
    check: { ...timed, tz: isZoneless ? check.tz : timed.tz, tags: tags ?? check.tags },
    channelIds: edit.channelIds?.toSorted() ?? channelIds,
    kept: [
      ...(moved?.why === undefined ? [] : [`Not moved: ${moved.why}.`]),
      ...(isZoneless ? ['No zone: an interval has none.'] : []),
      ...(tags === null ? [`Not tagged: its tags would be longer than ${TAGS_LIMIT} characters.`] : []),
    ],
  }
}

function specOf({ timeout, grace, schedule, tz, methods }: SettingsEdit): CheckSpec {
  const given = { timeout, grace, schedule, tz, methods }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function moveTimes({ kind, schedule }: Check, by: number): { readonly spec: CheckSpec; readonly why?: string } {
  if (kind === 'simple') return { spec: {}, why: 'an interval has no time of day' }
  const moved = moveSchedule(schedule, by)
  return 'why' in moved ? { spec: {}, why: moved.why } : { spec: { schedule: moved.schedule } }
}

/** Adds and removes tags. Returns the string unchanged if the tags stay the same; null if it would be too long. */
function editTags(text: string, { addTags = [], removeTags = [] }: SettingsEdit): string | null {
  const before = splitTags(text)
  const removed = new Set(removeTags)
  const after = [...new Set([...before.filter((tag) => !removed.has(tag)), ...addTags])]
  if (after.join(' ') === before.join(' ')) return text
  return isTagsText(after.join(' ')) ? after.join(' ') : null
}

const SETTING_NAMES = ['kind', 'timeoutSeconds', 'graceSeconds', 'schedule', 'tz', 'methods', 'tags'] as const
export type EditedSettings = Pick<Check, (typeof SETTING_NAMES)[number]>

/** Returns the settings that an edit can change, excluding the channels. */
export function editedSettings(check: Check): EditedSettings {
  const { kind, timeoutSeconds, graceSeconds, schedule, tz, methods, tags } = check
  return { kind, timeoutSeconds, graceSeconds, schedule, tz, methods, tags }
}

export function isSameSettings(a: EditedSettings, b: EditedSettings): boolean {
  return SETTING_NAMES.every((name) => a[name] === b[name])
}

export function isSameChannels(a: readonly string[], b: readonly string[]): boolean {
  return a.toSorted().join() === b.toSorted().join()
}

/** Whether the check's settings or channels have changed. */
export function isEdited(before: CheckWithChannels, after: CheckWithChannels): boolean {
  return (
    !isSameSettings(editedSettings(before.check), editedSettings(after.check)) ||
    !isSameChannels(before.channelIds, after.channelIds)
  )
}

/**
 * Returns a short fingerprint of the settings that an edit can change. It shows whether the check was edited after a user opened the page.
 */
export function stampOf({ check, channelIds }: CheckWithChannels): string {
  const { kind, timeoutSeconds, graceSeconds, schedule, tz, methods, tags } = editedSettings(check)
  const text = JSON.stringify([kind, timeoutSeconds, graceSeconds, schedule, tz, methods, tags, channelIds.toSorted()])
  return createHash('sha256').update(text).digest('base64url').slice(0, 12)
}
