/** Reads long lists in pages, so that other work can run between the pages. */
import type { Page, PageMark } from '../../store/store.ts'

/** Yields the pages of a list. Each page is read on demand. */
export async function* readPages<Item>(
  read: (after: PageMark | null) => Promise<Page<Item>>,
): AsyncGenerator<readonly Item[]> {
  let after: PageMark | null = null
  do {
    const page: Page<Item> = await read(after)
    yield page.items
    after = page.next
  } while (after !== null)
}
