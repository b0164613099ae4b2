/** The newest events of a check, and the missing runs between these events. */
import { type Actor, may } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import type { ListedEntry } from '../../domain/log/log-entry.ts'
import type { TimelineLine } from '../../domain/log/log-timeline.ts'
import { timelinePage } from '../../domain/log/timeline-page.ts'
import type { Deps } from '../common/deps.ts'
import { withLastLines } from './last-lines.ts'
import { readTimeline } from './timeline.ts'

/** Reads events, newest first. @param limit maximum number of lines */
export async function readNewestEvents(
  deps: Pick<Deps, 'store' | 'now' | 'eventLoop'>,
  actor: Actor,
  check: Check,
  limit: number,
): Promise<readonly TimelineLine<ListedEntry>[]> {
  const timeline = await readTimeline(deps, actor, check)
  const { lines } = timelinePage(timeline, { kinds: [], until: null }, { kind: 'newest' }, limit)
  const log = timeline.events.flatMap((event) => (event.kind === 'ping' ? [event.ping] : []))
  return withLastLines(deps, check, lines.slice(0, limit), log, may(actor, 'write'))
}
