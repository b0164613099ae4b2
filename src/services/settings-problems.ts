import type { ChannelKind } from '../domain/alert/channel.ts'
import { problemInWords } from '../domain/problem-words.ts'
import { listProblems } from '../domain/schema.ts'
import { storedFields } from '../transports/settings-form.ts'
import type { Registry } from '../transports/transport.ts'

/** What is wrong first with the settings of an integration, in words that follow "in its settings"; null: its transport accepts them. */
export function settingsProblem(transports: Registry, kind: ChannelKind, settings: unknown): string | null {
  const transport = transports.get(kind)
  const [problem] = transport === undefined ? [] : listProblems(transport.settings, settings, 1)
  return problem === undefined ? null : problemInWords(problem)
}

/** What is refused of new settings, but taken of those that another server has used. Sentences that begin with the name of a field. */
export function settingsMistakes(transports: Registry, kind: ChannelKind, settings: unknown): readonly string[] {
  const transport = transports.get(kind)
  const mistakes = transport?.mistakes?.(storedFields(transport, settings)) ?? {}
  return Object.entries(mistakes).map(([name, mistake]) => `${name}: ${mistake}`)
}
