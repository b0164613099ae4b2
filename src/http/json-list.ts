/** A long list as JSON, in pieces. */

export const JSON_TYPE = { 'content-type': 'application/json;charset=utf-8' } as const

/** What stands before the members and after them, as in `{"checks":[` and `]}`. */
export interface Enclosing {
  readonly open: string
  readonly close: string
}

/** @param pages members as JSON text, parted by commas; an empty one has none */
export async function* enclosed(pages: AsyncIterable<string>, { open, close }: Enclosing): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let before = open
  for await (const page of pages) {
    if (page === '') continue
    yield encoder.encode(before + page)
    before = ','
  }
  yield encoder.encode(before === open ? open + close : close)
}

/**
 * @param pages each of them becomes one piece
 * @param present a page as a value whose JSON is enclosed by one bracket on each side: a list, or an object
 */
export async function* membersOf<Page>(
  pages: AsyncIterable<Page>,
  present: (page: Page) => object,
): AsyncGenerator<string> {
  for await (const page of pages) yield JSON.stringify(present(page)).slice(1, -1)
}
