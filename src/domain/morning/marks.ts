/** A row's bar in a morning mail, which shows when problems occurred during the night. */
import type { JudgedRow } from '../night/night.ts'
import type { NightWindow } from '../night/window.ts'

export interface MorningMark {
  readonly kind: 'missing' | 'failed' | 'late'
  /** distance from the previous mark or from the start of the axis, in percent of the axis */
  readonly gap: number
  readonly width: number
}

interface Place {
  readonly kind: MorningMark['kind']
  /** milliseconds since 1970 */
  readonly from: number
  readonly until: number
}

/** Maximum number of marks. Readers couldn't tell more marks apart. */
const MARKS = 12
/** Minimum width of a mark, in percent, so that it is visible. */
const LEAST_PERCENT = 1.5

/** Returns marks from left to right. Omits marks that would be hidden by others. */
export function marksOf(row: JudgedRow, { from, until }: NightWindow): readonly MorningMark[] {
  const percent = (at: number) => ((Math.min(until, Math.max(from, at)) - from) / (until - from)) * 100
  const marks: MorningMark[] = []
  let end = 0
  for (const place of placesOf(row).toSorted((a, b) => a.from - b.from)) {
    if (marks.length === MARKS) break
    const width = Math.max(LEAST_PERCENT, percent(place.until) - percent(place.from))
    const begin = Math.min(100 - width, percent(place.from))
    if (begin < end) continue
    marks.push({ kind: place.kind, gap: tenth(begin - end), width: tenth(width) })
    end = begin + width
  }
  return marks
}

function placesOf({ slots, grace, comb }: JudgedRow): readonly Place[] {
  if (comb) {
    return [
      ...comb.silences.map(({ from, until }): Place => ({ kind: 'missing', from, until })),
      ...comb.failed.map((at): Place => ({ kind: 'failed', from: at, until: at })),
    ]
  }
  return slots.flatMap(({ outcome, at, run }): Place[] => {
    if (outcome === 'missing') return [{ kind: 'missing', from: at, until: at + grace }]
    if (run === null) return []
    if (outcome === 'failed') return [{ kind: 'failed', from: run.ended, until: run.ended }]
    const isOff = outcome === 'late' || outcome === 'slow'
    return isOff ? [{ kind: 'late', from: run.began, until: run.ended }] : []
  })
}

function tenth(percent: number): number {
  return Math.round(percent * 10) / 10
}
