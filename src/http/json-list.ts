/** Writes a long list as JSON, piece by piece. */

/** The text before and after a list's members, such as `{"checks":[` and `]}`. */
interface Enclosing {
  readonly open: string
  readonly close: string
}

/** @param pages pages of members as JSON, separated by commas; a page may be empty */
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
 * @param pages pages of a list; each page yields one piece
 * @param present converts a page to a list or an object; only its members are written
 */
export async function* membersOf<Page>(
  pages: AsyncIterable<Page>,
  present: (page: Page) => object,
): AsyncGenerator<string> {
  for await (const page of pages) yield JSON.stringify(present(page)).slice(1, -1)
}
