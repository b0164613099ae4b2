/** A long list as JSON, in pieces. */

export const JSON_TYPE = { 'content-type': 'application/json;charset=utf-8' } as const

/** What stands before the members and after them, as in `{"checks":[` and `]}`. */
export interface Enclosing {
  readonly open: string
  readonly close: string
}

const COMMA = 0x2c
const encoder = new TextEncoder()

/**
 * @param pages of members, each of which becomes one piece
 * @param present what becomes of a member
 */
export async function* jsonList<Item>(
  pages: AsyncIterable<readonly Item[]>,
  present: (item: Item) => unknown,
  { open, close }: Enclosing,
): AsyncGenerator<Uint8Array> {
  yield encoder.encode(open)
  let isFirst = true
  for await (const page of pages) {
    if (page.length === 0) continue
    const array = encoder.encode(JSON.stringify(page.map(present)))
    // The brackets go, and the first of them makes room for a comma: no long text is copied for that.
    array[0] = COMMA
    yield array.subarray(isFirst ? 1 : 0, -1)
    isFirst = false
  }
  yield encoder.encode(close)
}
