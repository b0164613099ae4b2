/** Describes the problems of checks that are down, for the lists in emails. */

import type { DownSentences } from '../../domain/mail/layout.ts'
import { stripOf } from '../../domain/run/strip.ts'
import { sentenceOf } from '../../domain/sentence/sentence.ts'
import { sentenceText } from '../../domain/words/sentence-text.ts'
import type { Instant } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { viewChecks } from '../checks/check-views.ts'
import { NO_ADVICE } from '../checks/shown-advice.ts'
import type { Deps } from '../common/deps.ts'

/** Number of checks per step. A step takes a few milliseconds. */
const AT_ONCE = 20

/**
 * Returns the same sentences that pages show. Times are in `tz`, but the sentences do not mention the zone. Checks that are not down or
 * no longer exist are omitted. Yields to the event loop between steps.
 * @param tz IANA name
 */
export async function downSentences(
  deps: Pick<Deps, 'store'>,
  ids: readonly string[],
  tz: string,
  now: Instant,
): Promise<DownSentences> {
  const sentences = new Map<string, string>()
  for (const some of inBatches(ids, AT_ONCE)) {
    const found = await deps.store.checks.findMany(some)
    for (const view of await viewChecks(deps, found, now, NO_ADVICE)) {
      const { check, state, expected } = view
      const sentence = state === 'down' ? sentenceOf(view, stripOf(check, now, expected)) : null
      if (sentence) sentences.set(check.id, sentenceText(sentence, { now, tz }))
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  return sentences
}
