/** Reads long lists page by page. A list is sorted by a column whose values are unique within the list. */

/** The position at which the next page of a long list starts. Callers must not interpret it. */
export type PageMark = number

/**
 * Part of a long list. Lists are read in pages so that no read takes long. Each page is read from a consistent snapshot of the database.
 */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** null for the last page */
  readonly next: PageMark | null
}

/** Less than the mark of any row, because timestamps and numbers are never negative. */
const BEGINNING: PageMark = -1

export function markOf(after: PageMark | null): PageMark {
  return after ?? BEGINNING
}

/**
 * Returns one page of a list.
 * @param rows rows read with `LIMIT limit`
 * @param items items created from the rows; a filter may have left out some
 */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  items: readonly Item[],
  mark: (row: Row) => PageMark,
): Page<Item> {
  const last = rows.at(-1)
  return { items, next: last === undefined || rows.length < limit ? null : mark(last) }
}
