/** Notes of a command about what came to a check and did not count. */
import type { Check } from '../../domain/check/check.ts'
import { sentenceText } from '../../domain/check/sentence-text.ts'
import { uncountedSentences } from '../../domain/check/uncounted.ts'
import { knownZone } from '../../lib/time-words.ts'
import type { Deps } from '../../services/deps.ts'
import { readUncounted } from '../../services/uncounted.ts'

/** Sentences, with times in the zone of the check; none when nothing came. */
export async function uncountedNotes(deps: Pick<Deps, 'store' | 'now'>, check: Check): Promise<readonly string[]> {
  const now = deps.now()
  const uncountedOf = await readUncounted(deps, [check.id], [check.id], now)
  const sentence = uncountedSentences(check, uncountedOf(check.id))
  const zone = { now, tz: knownZone(check.tz) ?? 'UTC', isNamed: true } as const
  return sentence.length === 0 ? [] : [sentenceText(sentence, zone)]
}
