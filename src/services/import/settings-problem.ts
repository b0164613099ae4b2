import type { ChannelKind } from '../../domain/alert/channel.ts'
import { problemInWords } from '../../domain/problem-words.ts'
import { listProblems } from '../../domain/schema.ts'
import type { Registry } from '../../transports/transport.ts'

/** What is wrong first with the settings of an integration, in words that follow "in its settings"; null: its transport accepts them. */
export function settingsProblem(transports: Registry, kind: ChannelKind, settings: unknown): string | null {
  const transport = transports.get(kind)
  const [problem] = transport === undefined ? [] : listProblems(transport.settings, settings, 1)
  return problem === undefined ? null : problemInWords(problem)
}
