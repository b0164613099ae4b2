/** The calendar of planned silences: all periods during which a silence will be in effect, in order. */
import { earlier, type Instant, isBefore, Temporal } from '../../lib/time.ts'
import type { Occurrence } from './maintenance-window.ts'
import type { Silence } from './silence.ts'

export interface PlannedOccurrence extends Occurrence {
  readonly silence: Silence
}

interface Plan extends Pick<Silence, 'startsAt' | 'createdAt'> {
  /** null if the silence does not repeat */
  readonly window: unknown
}

/** Whether a silence was planned. It was if it repeats, or if it begins after it was created. */
export function isPlanned({ window, startsAt, createdAt }: Plan): boolean {
  return window !== null || isBefore(createdAt, startsAt)
}

/** The upcoming occurrences of several silences. */
export interface Calendar {
  /** sorted by start */
  readonly occurrences: readonly PlannedOccurrence[]
  /** end of the period covered by the list; it includes all occurrences that begin before this time */
  readonly until: Instant
  /** true if there are more occurrences than can be listed */
  readonly isCut: boolean
}

/**
 * Merges the occurrences of several silences.
 * @param each the occurrences of each silence, up to `ofEach` per silence
 */
export function calendarOf(
  each: readonly (readonly PlannedOccurrence[])[],
  until: Instant,
  ofEach: number,
  limit: number,
): Calendar {
  const cut = each.filter(({ length }) => length === ofEach).map((some) => some.at(-1)?.startsAt ?? null)
  const listed = cut.reduce(earlier, until) ?? until
  const all = each.flat().filter(({ startsAt }) => isBefore(startsAt, listed))
  const inOrder = all.toSorted((a, b) => Temporal.Instant.compare(a.startsAt, b.startsAt))
  const beyond = inOrder[limit]
  const isCut = cut.length > 0 || beyond !== undefined
  return { occurrences: inOrder.slice(0, limit), until: beyond?.startsAt ?? listed, isCut }
}
