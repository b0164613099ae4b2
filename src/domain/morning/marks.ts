/** The bar of a row in a morning mail: what went wrong, on the hours of the night. */
import type { JudgedRow } from '../night/night.ts'
import type { NightWindow } from '../night/window.ts'

export interface MorningMark {
  readonly kind: 'missing' | 'failed' | 'late'
  /** of the axis: the gap since the mark before, or since its beginning */
  readonly gap: number
  readonly width: number
}

interface Place {
  readonly kind: MorningMark['kind']
  /** milliseconds since 1970 */
  readonly from: number
  readonly until: number
}

/** More can't be told apart. */
const MARKS = 12
/** A narrower one is not seen. */
const LEAST_PERCENT = 1.5

/** From left to right; one that would hide behind another is left out. */
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
