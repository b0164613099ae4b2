/** The calendar of planned silences: each period in which a silence will hold, in order. */
import { earlier, type Instant, isBefore, later, Temporal } from '../../lib/time.ts'
import { type Occurrence, occurrencesBefore } from './maintenance-window.ts'
import { nextOccurrence, type Silence } from './silence.ts'

export interface PlannedOccurrence extends Occurrence {
  readonly silence: Silence
}

interface Plan extends Pick<Silence, 'startsAt' | 'createdAt'> {
  /** null: it is not repeated */
  readonly window: unknown
}

/** Whether a silence was planned: it is repeated, or begins later than it was created. */
export function isPlanned({ window, startsAt, createdAt }: Plan): boolean {
  return window !== null || isBefore(createdAt, startsAt)
}

/**
 * Returns the occurrences of a silence that have not ended by `from`, in order.
 * @param until exclusive; occurrences that begin later are left out
 */
export function plannedOccurrences(
  silence: Silence,
  from: Instant,
  until: Instant,
  limit: number,
): readonly PlannedOccurrence[] {
  const { startsAt, endsAt, window } = silence
  if (window === null) {
    const only = nextOccurrence(silence, from)
    return only && isBefore(only.startsAt, until) ? [{ silence, ...only }] : []
  }
  const coming = occurrencesBefore(window, later(from, startsAt), earlier(endsAt, until), limit)
  return coming.map((one) => ({
    silence,
    startsAt: later(one.startsAt, startsAt),
    endsAt: earlier(one.endsAt, endsAt) ?? one.endsAt,
  }))
}

/** The first occurrences of several silences. */
export interface Calendar {
  /** in order of their beginnings */
  readonly occurrences: readonly PlannedOccurrence[]
  /** all occurrences that begin before this time are listed */
  readonly until: Instant
  /** true: there are more occurrences than can be listed */
  readonly isCut: boolean
}

/**
 * Joins the occurrences of several silences.
 * @param each the occurrences of each silence, at most `ofEach`
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
