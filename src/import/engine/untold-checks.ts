/** Adds a note about imported checks whose integrations alert no one. */
import { count } from '../../domain/duration.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import type { ImportedCheck, ImportedProject } from '../../domain/import/import-source.ts'

/** @param checks the imported checks of the project @returns at most one note */
export function untoldChecks(
  { name, channels }: Pick<ImportedProject, 'name' | 'channels'>,
  checks: readonly Pick<ImportedCheck, 'channelIds'>[],
): readonly ImportNote[] {
  const working = channels.filter(
    ({ disabledReason, awaitsConfirmation }) => disabledReason === null && !awaitsConfirmation,
  )
  const ids = new Set(working.map(({ id }) => id))
  const untold = checks.filter(({ channelIds }) => !channelIds.some((id) => ids.has(id))).length
  if (untold === 0) return []
  const reason = `${count(untold, 'check')} ${untold === 1 ? 'alerts' : 'alert'} no one: no integration is assigned, or all assigned ones are off or not confirmed.`
  const advice = 'Select them on the checks page, and assign an integration.'
  return [{ kind: 'to-do', subject: 'project', name, project: null, reason, advice }]
}
