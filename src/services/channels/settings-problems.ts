import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { ImportNote } from '../../domain/import/import-note.ts'
import { problemInWords } from '../../domain/problem-words.ts'
import { listProblems } from '../../domain/schema.ts'
import { storedFields } from '../../transports/settings-form.ts'
import type { Registry } from '../../transports/transport.ts'

/**
 * Returns the first problem with an integration's settings, as the end of a sentence that begins with "in its settings". Returns null if
 * the transport accepts the settings.
 */
export function settingsProblem(transports: Registry, kind: ChannelKind, settings: unknown): string | null {
  const transport = transports.get(kind)
  const [problem] = transport === undefined ? [] : listProblems(transport.settings, settings, 1)
  return problem === undefined ? null : problemInWords(problem)
}

/**
 * Returns the mistakes that are rejected in new settings but tolerated in settings imported from another server. Each mistake is a sentence
 * that begins with the name of a field.
 */
export function settingsMistakes(transports: Registry, kind: ChannelKind, settings: unknown): readonly string[] {
  const transport = transports.get(kind)
  const mistakes = transport?.mistakes?.(storedFields(transport, settings)) ?? {}
  return Object.entries(mistakes).map(([name, mistake]) => `${name}: ${mistake}`)
}

/** Returns a reason and advice for each mistake that an import leaves in place. */
export function settingsToDo(
  transports: Registry,
  kind: ChannelKind,
  settings: unknown,
): readonly Pick<ImportNote, 'reason' | 'advice'>[] {
  const advice =
    'Correct that. Until then, alerts whose server depends on a placeholder are sent without the hidden settings.'
  return settingsMistakes(transports, kind, settings).map((mistake) => ({
    reason: `It is imported without changes, but in its settings, ${mistake}`,
    advice,
  }))
}
