/** Summary of a night for the overview page: the rows with problems, and a count of the other rows. */
import type { NightLoad } from './load.ts'
import type { JudgedRow, Night, NightGroup } from './night.ts'
import { isTrouble, type RowOutcome } from './row.ts'
import { type SilentTogether, toldBy } from './together.ts'
import type { NightWindow } from './window.ts'

/** Number of rows without problems, by outcome. */
interface CalmCounts {
  /** number of rows in which all expected runs happened */
  readonly expected: number
  readonly running: number
  readonly toCome: number
}

/** @template Place the caller's representation of a project */
interface PlacedRow<Place> {
  readonly place: Place
  readonly row: JudgedRow
}

export interface NightBrief<Place> {
  readonly window: NightWindow
  readonly now: number
  readonly load: NightLoad
  /**
   * rows with problems, sorted by the first expected start, followed by jobs that run more than once an hour; excludes rows that are listed
   * in `together`
   */
  readonly troubles: readonly PlacedRow<Place>[]
  /** the first few groups of checks that fell silent at the same time */
  readonly together: readonly SilentTogether[]
  /** number of rows with problems that are not shown */
  readonly moreTroubles: number
  readonly calm: CalmCounts
  readonly notDue: number
}

/** Whether all runs so far have gone as expected. */
export function isFine({ troubles, together }: NightBrief<unknown>): boolean {
  return troubles.length === 0 && together.length === 0
}

/** Maximum number of rows to show. The night page shows all of them. */
const TROUBLES = 20
const TOGETHER = 5

export function briefOf<Place>({ groups, window, load, now }: Night<Place>): NightBrief<Place> {
  const together = groups.flatMap((group) => group.together)
  const shownTogether = together.slice(0, TOGETHER)
  const isTold = toldBy(shownTogether)
  const bad = (rowsOf: (group: NightGroup<Place>) => readonly JudgedRow[]) =>
    groups.flatMap((group) =>
      rowsOf(group)
        .filter((row) => isTrouble(row.outcome) && !isTold(row))
        .map((row): PlacedRow<Place> => ({ place: group.place, row })),
    )
  const due = bad(({ open }) => open).toSorted((a, b) => startOf(a.row) - startOf(b.row))
  const troubles = [...due, ...bad(({ frequentTrouble }) => frequentTrouble)]
  const sum = (of: (group: NightGroup<Place>) => number) => groups.reduce((total, group) => total + of(group), 0)
  return {
    window,
    now,
    load,
    troubles: troubles.slice(0, TROUBLES),
    together: shownTogether,
    moreTroubles: Math.max(0, troubles.length - TROUBLES),
    calm: calmOf(groups),
    notDue: sum(({ notDue }) => notDue.length),
  }
}

/** Counts the rows in which a run was expected, across all groups. */
export function calmOf(groups: readonly NightGroup<unknown>[]): CalmCounts {
  return calmCounts(groups.flatMap(({ open, folded, frequent }) => [...open, ...folded, ...frequent]))
}

function calmCounts(rows: readonly JudgedRow[]): CalmCounts {
  const number = (wanted: RowOutcome) => rows.filter(({ outcome }) => outcome === wanted).length
  return { expected: number('ran'), running: number('running'), toCome: number('open') }
}

function startOf({ slots }: JudgedRow): number {
  return slots[0]?.at ?? 0
}

/**
 * Rows for a screen that only has room for `most` of them, sorted by the first expected start. Jobs that run more than once an hour come
 * last.
 */
export interface ShortRows {
  /** rows to show; if there are too many, rows with problems take precedence */
  readonly rows: readonly JudgedRow[]
  readonly moreTroubles: number
  readonly moreCalm: CalmCounts
}

export function shortRows(group: NightGroup<unknown>, most: number): ShortRows {
  const { open, folded, frequentTrouble, frequent } = group
  const due = [...open, ...folded].toSorted((a, b) => startOf(a) - startOf(b))
  const all = [...due, ...frequentTrouble, ...frequent]
  const [bad, good] = [all.filter(({ outcome }) => isTrouble(outcome)), all.filter((row) => !isTrouble(row.outcome))]
  const room = Math.max(0, most - bad.length)
  return {
    rows: all.length <= most ? all : [...bad.slice(0, most), ...good.slice(0, room)],
    moreTroubles: Math.max(0, bad.length - most),
    moreCalm: calmCounts(good.slice(room)),
  }
}
