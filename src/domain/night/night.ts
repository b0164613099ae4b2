/**
 * A night for display: its rows, grouped by project. Within a project, jobs that run more than once an hour and checks that were not due
 * are listed separately.
 */
import type { Silence } from '../silence/silence.ts'
import type { Stretch } from '../stretch.ts'
import { loadOf, type NightLoad } from './load.ts'
import { type MutedTogether, mutedIn } from './muted.ts'
import { isTrouble, type NightRow, outcomeOf, type RowOutcome } from './row.ts'
import { type SilentTogether, silentTogether } from './together.ts'
import type { NightWindow } from './window.ts'

export interface JudgedRow extends NightRow {
  readonly outcome: RowOutcome
  /**
   * periods when the check was muted, oldest first; the bounds are infinite where a period extends beyond the night. Muting doesn't affect
   * the outcome
   */
  readonly muted: readonly Stretch[]
}

/** @template Place the caller's representation of a project */
export interface NightGroup<Place> {
  readonly place: Place
  /** rows that are not collapsed, sorted by the first expected start */
  readonly open: readonly JudgedRow[]
  /** other rows without problems, which the reader can expand */
  readonly folded: readonly JudgedRow[]
  /** rows of checks that run more than once an hour and were silent or failed */
  readonly frequentTrouble: readonly JudgedRow[]
  readonly frequent: readonly JudgedRow[]
  readonly notDue: readonly JudgedRow[]
  readonly together: readonly SilentTogether[]
  /** silences that muted any of the rows, sorted by start */
  readonly muted: readonly MutedTogether[]
}

/** One project's data for a night. */
export interface NightPart<Place> {
  readonly place: Place
  readonly rows: readonly NightRow[]
  /** the project's silences that overlap the night */
  readonly silences: readonly Silence[]
}

export interface Night<Place> {
  readonly window: NightWindow
  /** groups; the ones with problems come first */
  readonly groups: readonly NightGroup<Place>[]
  readonly load: NightLoad
  readonly counts: NightCounts
  readonly now: number
}

/** Number of checks that were due and run at most once an hour. */
export interface NightCounts {
  readonly due: number
  /** number of checks that had a success, even a late one, for every slot */
  readonly ran: number
  readonly running: number
  /** number of checks that have had no problems yet and still have an open slot */
  readonly open: number
  readonly missing: number
  readonly failed: number
}

/** Maximum number of rows that are not collapsed. Rows with problems count towards it. */
const OPEN_ROWS = 60

/**
 * Groups a night's rows by project. Yields after each row and each project, and before calculating the load, so that a night with many
 * checks does not block other work.
 */
export function* nightOfRows<Place>(
  parts: readonly NightPart<Place>[],
  window: NightWindow,
  now: number,
): Generator<void, Night<Place>> {
  const made: NightGroup<Place>[] = []
  for (const part of parts) {
    made.push(yield* groupOf(part, window, now))
    yield
  }
  const groups = made.toSorted((a, b) => Number(hasTrouble(b)) - Number(hasTrouble(a)))
  const due = groups.flatMap(({ open }) => open)
  const [counts, shown] = [countsOf(due), folded(groups)]
  yield
  return { window, groups: shown, load: loadOf(due, window, now), counts, now }
}

function* groupOf<Place>(
  { place, rows, silences }: NightPart<Place>,
  window: NightWindow,
  now: number,
): Generator<void, NightGroup<Place>> {
  const judged: JudgedRow[] = []
  const mutes = mutedIn(silences, window)
  for (const row of rows) {
    judged.push({ ...row, outcome: outcomeOf(row, now), muted: mutes.of(row) })
    yield
  }
  const watched = judged.filter(({ outcome }) => outcome !== 'none' && outcome !== 'unwatched')
  const frequent = watched.filter(({ comb }) => comb !== null)
  const first = ({ slots }: NightRow) => slots[0]?.at ?? 0
  return {
    place,
    open: watched.filter(({ comb }) => comb === null).toSorted((a, b) => first(a) - first(b)),
    folded: [],
    frequentTrouble: frequent.filter(({ outcome }) => isTrouble(outcome)),
    frequent: frequent.filter(({ outcome }) => !isTrouble(outcome)),
    notDue: judged.filter(({ outcome }) => outcome === 'none' || outcome === 'unwatched'),
    together: silentTogether(frequent),
    muted: mutes.together(),
  }
}

function hasTrouble({ open, frequentTrouble }: NightGroup<unknown>): boolean {
  return frequentTrouble.length > 0 || open.some(({ outcome }) => isTrouble(outcome))
}

/** Collapses rows without problems once the limit is reached. Rows with problems are never hidden. */
function folded<Place>(groups: readonly NightGroup<Place>[]): readonly NightGroup<Place>[] {
  const troubles = groups.flatMap(({ open }) => open).filter(({ outcome }) => isTrouble(outcome)).length
  let room = Math.max(0, OPEN_ROWS - troubles)
  return groups.map((group) => {
    const open: JudgedRow[] = []
    const rest: JudgedRow[] = []
    for (const row of group.open) {
      const isCalm = !isTrouble(row.outcome)
      if (isCalm && room === 0) rest.push(row)
      else open.push(row)
      if (isCalm && room > 0) room -= 1
    }
    return { ...group, open, folded: rest }
  })
}

function countsOf(rows: readonly JudgedRow[]): NightCounts {
  const number = (wanted: RowOutcome) => rows.filter(({ outcome }) => outcome === wanted).length
  const calm = rows.filter(({ outcome }) => CALM.includes(outcome))
  const open = calm.filter(({ slots }) => slots.some(({ outcome }) => outcome === 'open')).length
  return {
    due: rows.length,
    ran: calm.length - open,
    running: number('running'),
    open,
    missing: number('missing'),
    failed: number('failed'),
  }
}

const CALM: readonly RowOutcome[] = ['late', 'slow', 'open', 'ran']
