/** Reads long lists in pages, so that other work can run in between. */
import type { Page, PageMark } from '../../store/store.ts'

/** Yields pages, each of which is read on demand. */
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
