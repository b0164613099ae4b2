/** Finds the periods of a night during which checks were muted. */
import { type MutedStretch, mergedWithin, mutedStretches, silencesByCheck } from '../silence/muted-stretch.ts'
import type { Silence } from '../silence/silence.ts'
import type { Stretch } from '../stretch.ts'
import type { NightRow } from './row.ts'
import { isGood } from './slots.ts'

/** A period when a silence was in effect, with the number of rows that it muted. */
export interface MutedTogether extends MutedStretch {
  readonly first: NightRow
  /** number of muted rows */
  readonly rows: number
}

interface NightMutes {
  /** Returns the periods during which a row was muted. Also adds the row to the counts that `together` returns. */
  readonly of: (row: NightRow) => readonly Stretch[]
  /** Returns the periods of each silence, with the number of rows muted, sorted by start. */
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

/**
 * Returns the end of the first success after a given time. For a job that runs more than once an hour, the first success is assumed to be
 * one period later or, if the job was silent, at the end of that silence.
 */
function firstSuccess({ slots, comb }: NightRow, after: number): number | null {
  if (comb === null) return slots.find(({ run }) => run && isGood(run) && run.ended > after)?.run?.ended ?? null
  return comb.silences.find(({ from, until }) => from <= after && after < until)?.until ?? after + comb.period
}
