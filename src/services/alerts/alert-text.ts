/** Reads the introductory text of a flip's alerts, as it was sent to the integrations. */
import { type Actor, may, requireRight } from '../../domain/actor.ts'
import { flipSentenceText } from '../../domain/alert/flip-sentence.ts'
import type { Check } from '../../domain/check/check.ts'
import { storyForReader } from '../../domain/incident/reader.ts'
import { withoutPingSecrets } from '../../domain/redaction.ts'
import type { Deps } from '../common/deps.ts'
import { causeOfPing } from '../pings/failure-cause.ts'

/** Returns null if the flip was deleted. For read-only members, removes email addresses, and ping URLs and keys in job output. */
export async function readAlertText(
  { store, now, eventLoop }: Pick<Deps, 'store' | 'now' | 'eventLoop'>,
  actor: Actor,
  check: Check,
  eventN: number,
): Promise<string | null> {
  requireRight(actor, 'read', check)
  const at = now()
  const story = await store.deliveries.findStory({ checkId: check.id, eventN }, at)
  if (story === null) return null
  const { lastPing } = story
  const begin = lastPing && { ...lastPing, start: lastPing.body, size: lastPing.bodySize }
  const cause = begin && (await causeOfPing(check, begin, eventLoop))
  if (may(actor, 'write')) return flipSentenceText({ ...story, cause }, at)
  const incident = story.incident && storyForReader(story.incident)
  return withoutPingSecrets(flipSentenceText({ ...story, incident, cause }, at))
}
