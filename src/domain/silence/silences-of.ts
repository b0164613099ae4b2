/** The silences of several checks, put in order so that each check is asked about few of them. */
import type { Silence, SilencedCheck } from './silence.ts'

/** What names a check, and its project. */
export type PlacedCheck = Pick<SilencedCheck, 'id' | 'projectId'>

/** The silences that may be about a check: of its project, without those that name others. */
export type SilencesOf = (check: PlacedCheck) => readonly Silence[]

const NO_SILENCES: readonly Silence[] = []

/**
 * Hundreds of silences may name a hundred checks each, thousands one check each, and thousands of checks are asked about at once.
 * @param checks all that will be asked about
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
