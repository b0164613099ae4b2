/** Search over a store, without the service that reads emails. */

import type { Check } from '../../src/domain/check/check.ts'
import { parseSearch, wordPattern } from '../../src/domain/search/query.ts'
import { scoped, scopeOf } from '../../src/domain/search/scope.ts'
import { wordsOf } from '../../src/domain/search/words.ts'
import type { PingHits, SearchedIds, Store, UnreadPings } from '../../src/store/store.ts'

/** Returns the words of plain-text bodies, as the loop does. */
export const wordsIn = ({ pings }: UnreadPings) =>
  pings.map(({ id, checkId, n, bodyStart }) => {
    const text = new TextDecoder().decode(bodyStart)
    return { id, checkId, n, words: Array.from(wordsOf(text), ({ word }) => word) }
  })

/** Indexes pings until none is left. */
export async function readWords(store: Store): Promise<void> {
  do {
    for (;;) {
      const unread = await store.search.findUnread()
      if (unread === null) break
      await store.search.writeWords(unread, wordsIn(unread))
    }
  } while (await store.search.refill())
}

/** Returns the numbers of the check's pings that a member's search finds. @param above the id of a ping */
export async function found(
  store: Store,
  check: Pick<Check, 'id' | 'projectId'>,
  typed: string,
  above = 0,
): Promise<number[]> {
  return (await searchIn(store, check, typed, { above, below: Number.MAX_SAFE_INTEGER }, 50)).numbers
}

/** Likewise, but examines at most `limit` pings. */
export async function searchIn(
  store: Store,
  check: Pick<Check, 'id' | 'projectId'>,
  typed: string,
  ids: SearchedIds,
  limit: number,
): Promise<{ readonly numbers: number[]; readonly below: number | null }> {
  const { hits, below } = await hitsIn(store, check, typed, ids, limit)
  return { numbers: hits.map(({ n }) => n), below }
}

/** Likewise, with the hits as the store returns them. */
export async function hitsIn(
  store: Store,
  check: Pick<Check, 'id' | 'projectId'>,
  typed: string,
  ids: SearchedIds,
  limit: number,
): Promise<PingHits> {
  const pattern = wordPattern(parseSearch(typed), true)
  if (pattern === null) return { hits: [], below: null }
  const { hits, below } = await store.search.findPings(check.projectId, scoped(pattern, scopeOf(check)), ids, limit)
  return { hits: hits.filter(({ checkId }) => checkId === check.id), below }
}
