/** Long lists, read page by page: by a column that is distinct within the list and grows along it. */
import type { Page, PageMark } from './store.ts'

/** Before the first row: times and numbers are not negative. */
const BEGINNING: PageMark = -1

export function markOf(after: PageMark | null): PageMark {
  return after ?? BEGINNING
}

/**
 * @param rows read with `LIMIT limit`
 * @param items what became of them, perhaps fewer
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
