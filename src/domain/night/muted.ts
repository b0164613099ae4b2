/** Stretches of a night in which checks were muted. */
import { type MutedStretch, mergedWithin, mutedStretches, silencesByCheck } from '../silence/muted-stretch.ts'
import type { Silence } from '../silence/silence.ts'
import type { Stretch } from '../stretch.ts'
import type { NightRow } from './row.ts'
import { isGood } from './slots.ts'

/** A stretch of a silence, with the number of rows that it muted. */
export interface MutedTogether extends MutedStretch {
  readonly first: NightRow
  /** number of muted rows */
  readonly rows: number
}

interface NightMutes {
  /** Returns a row's muted stretches. From then on, `together` counts the row. */
  readonly of: (row: NightRow) => readonly Stretch[]
  /** Returns each stretch of a silence with its number of rows, sorted by start. */
  readonly together: () => readonly MutedTogether[]
}

export function mutedIn(silences: readonly Silence[], window: Stretch): NightMutes {
  const silencesOf = silencesByCheck(silences)
  const together = new Map<string, MutedTogether>()
  return {
    of: (row) => {
      const stretches = mutedStretches(silencesOf(row.check.id), row.check, window, (at) => firstSuccess(row, at))
      for (const stretch of stretches) {
        const { silence, from, until } = stretch
        const key = `${silence.id} ${from}`
        const known = together.get(key)
        const [rows, last] = known ? [known.rows + 1, Math.max(known.until, until)] : [1, until]
        together.set(key, { silence, from, until: last, first: known?.first ?? row, rows })
      }
      return mergedWithin(stretches, window)
    },
    together: () => [...together.values()].toSorted((a, b) => a.from - b.from),
  }
}

/** Returns the end of the first success. For a job that runs all the time, this is a period later, or the end of its silence. */
function firstSuccess({ slots, comb }: NightRow, after: number): number | null {
  if (comb === null) return slots.find(({ run }) => run && isGood(run) && run.ended > after)?.run?.ended ?? null
  return comb.silences.find(({ from, until }) => from <= after && after < until)?.until ?? after + comb.period
}
