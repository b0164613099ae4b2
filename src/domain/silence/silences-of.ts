/** The silences of several checks, indexed so that each check is matched against few of them. */
import type { Silence, SilencedCheck } from './silence.ts'

/** The id and the project of a check. */
export type PlacedCheck = Pick<SilencedCheck, 'id' | 'projectId'>

/** Returns the silences that may match a check: those of its project, without those that name other checks. */
export type SilencesOf = (check: PlacedCheck) => readonly Silence[]

const NO_SILENCES: readonly Silence[] = []

/**
 * Indexes the silences. Hundreds of silences may name a hundred checks each, thousands one check each, and thousands of checks are looked
 * up at once.
 * @param checks all that will be looked up
 */
export function silencesOf(silences: readonly Silence[], checks: readonly PlacedCheck[]): SilencesOf {
  if (silences.length === 0) return () => NO_SILENCES
  const isNaming = ({ match }: Silence) => match.checks.length > 0
  const general = Map.groupBy(
    silences.filter((silence) => !isNaming(silence)),
    ({ projectId }) => projectId,
  )
  const naming = new Map<string, Silence[]>(checks.map(({ id }) => [id, []]))
  for (const silence of silences) for (const id of silence.match.checks) naming.get(id)?.push(silence)
  return ({ id, projectId }) => [...(general.get(projectId) ?? NO_SILENCES), ...(naming.get(id) ?? NO_SILENCES)]
}
