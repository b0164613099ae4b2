/** Undoes the creation of a check by deleting it, unless a user has changed the check or a ping has arrived. */
import type { Check } from '../check/check.ts'
import { CHECK_FIELDS, type Members, membersOf } from '../check/fields.ts'
import type { CheckWithChannels } from '../check/representation.ts'

/** A check in the state in which it was created. */
export interface CreationUndo {
  readonly kind: 'creation'
  readonly settings: Members<typeof CHECK_FIELDS>
  readonly channelIds: readonly string[]
}

export function undoOfCreation({ check, channelIds }: CheckWithChannels): CreationUndo {
  return { kind: 'creation', settings: membersOf(CHECK_FIELDS, check), channelIds }
}

/**
 * Whether the check is unchanged since it was created.
 * @param existing ids of the channels that still exist; if a channel was deleted, the check still counts as unchanged
 */
export function isAsCreated(now: CheckWithChannels, undo: CreationUndo, existing: ReadonlySet<string>): boolean {
  const { check, channelIds } = now
  const assigned = undo.channelIds.filter((id) => existing.has(id))
  return isUntouched(check) && hasSettings(check, undo.settings) && assigned.toSorted().join() === channelIds.join()
}

const isUntouched = ({ nPings, nEvents }: Check) => nPings === 0 && nEvents === 0

function hasSettings(check: Check, settings: CreationUndo['settings']): boolean {
  const now: Readonly<Record<string, unknown>> = membersOf(CHECK_FIELDS, check)
  return Object.entries(settings).every(([name, value]) => now[name] === value)
}
