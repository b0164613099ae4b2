/** Long lists as the store reads them: page by page, so that others have their turn in between. */
import type { Page, PageMark } from '../store/store.ts'

/** Reads the next page when it is asked for, and not before. */
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
