/** Reads long lists page by page, so that other work has its turn in between. */
import type { Page, PageMark } from '../../store/store.ts'

/** Yields pages. Each is read only on demand. */
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
