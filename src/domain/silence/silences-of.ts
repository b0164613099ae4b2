/** An index of silences that makes it unnecessary to compare each check with every silence. */
import type { Silence, SilencedCheck } from './silence.ts'

/** A check's ID and project. */
export type PlacedCheck = Pick<SilencedCheck, 'id' | 'projectId'>

/** Returns the silences that may apply to a check: the ones in its project, except for those that list only other checks. */
export type SilencesOf = (check: PlacedCheck) => readonly Silence[]

const NO_SILENCES: readonly Silence[] = []

/**
 * Indexes silences. There can be hundreds of silences that list a hundred checks each and thousands that list one check each, and thousands
 * of checks may be looked up together.
 * @param checks all checks that will be looked up
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
