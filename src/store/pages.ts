/** Reads long lists page by page. A list is ordered by a column whose values are distinct within the list. */

/** The start of the next page of a long list; opaque to callers. */
export type PageMark = number

/** Part of a long list, so that no read takes long. Each page is a consistent snapshot of the database. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** null for the last page */
  readonly next: PageMark | null
}

/** Less than the mark of any row, because times and numbers are not negative. */
const BEGINNING: PageMark = -1

export function markOf(after: PageMark | null): PageMark {
  return after ?? BEGINNING
}

/**
 * Returns a page of a list.
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
