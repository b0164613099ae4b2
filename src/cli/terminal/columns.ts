/** Decides the widths of a table's columns, and which columns are left out, so that the table fits a terminal. */

export interface Column {
  /** width of the column's widest cell, in characters */
  readonly width: number
  /** width of the widest cell that would be useless if truncated, such as a time; 0 if there is no such cell */
  readonly whole: number
  /** true if the column contains names, which are truncated only when nothing else is left to truncate */
  readonly isName: boolean
}

export const GAP = '  '
/** Minimum width of a text column, in characters. If a text column would get narrower, a column is left out instead. */
const NARROW = 8
const NARROWEST = 3

/**
 * Fits columns into the available width. Text columns are narrowed first, then columns are left out, then names are truncated. Cells that
 * are useless if truncated are truncated last.
 * @param leastWanted indexes of the columns that may be left out, in the order in which they are left out
 * @param room available width in characters; null if there is no limit
 * @returns the width of each column; null for a column that is left out
 */
export function fitColumns(
  columns: readonly Column[],
  room: number | null,
  leastWanted: readonly number[] = [],
): readonly (number | null)[] {
  const all = columns.map(({ width }) => width)
  if (room === null) return all
  const textsTo = (least: number) =>
    columns.map(({ width, whole, isName }) => (isName ? width : Math.max(whole, Math.min(width, least))))
  let fitting = narrowed(all, textsTo(NARROW), room)
  for (let left = 1; !isWithin(fitting, room) && left <= leastWanted.length; left += 1) {
    const out = leastWanted.slice(0, left)
    const wanted = all.map((width, index) => (out.includes(index) ? null : width))
    fitting = narrowed(wanted, textsTo(NARROW), room)
  }
  const wholeOnly = columns.map(({ width, whole }) => Math.max(whole, Math.min(width, NARROWEST)))
  const steps = [textsTo(NARROWEST), wholeOnly, columns.map(() => NARROWEST)]
  return steps.reduce((widths, least) => narrowed(widths, least, room), fitting)
}

type Widths = readonly (number | null)[]

/** Narrows the widest columns first. @param least the minimum width of each column */
function narrowed(given: Widths, least: readonly number[], room: number): Widths {
  const widths = [...given]
  while (!isWithin(widths, room)) {
    const spare = widths.map((width, index) => (width !== null && width > (least[index] ?? 0) ? width : 0))
    const widest = spare.indexOf(Math.max(...spare))
    if (!spare[widest]) break
    widths[widest] = spare[widest] - 1
  }
  return widths
}

function isWithin(widths: Widths, room: number): boolean {
  const shown = widths.filter((width) => width !== null)
  return shown.reduce((sum, width) => sum + width, GAP.length * (shown.length - 1)) <= room
}
