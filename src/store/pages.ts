/** Reads long lists in pages, ordered by a column whose values are distinct within the list. */

/** The place where the next page of a long list begins; opaque to callers. */
export type PageMark = number

/** Part of a long list, so that no read takes long. Each page shows one state of the database. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** null for the last page */
  readonly next: PageMark | null
}

/** Less than the mark of any row: times and numbers are not negative. */
const BEGINNING: PageMark = -1

export function markOf(after: PageMark | null): PageMark {
  return after ?? BEGINNING
}

/**
 * Returns a page of a list.
 * @param rows read with `LIMIT limit`
 * @param items the items made of the rows; a filter may have left out some
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
