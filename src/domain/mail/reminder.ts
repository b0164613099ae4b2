/** Reminders: emails that list the checks in a project that are still down. */

import { oneLine } from '../../lib/text/text.ts'
import { type Instant, Temporal } from '../../lib/time.ts'
import { nameOf } from '../alert/notification.ts'
import type { Check } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import { checkPageUrl, type Links } from '../check/representation.ts'
import { deadline, expectedIfReadable, statusAt } from '../check/status.ts'
import { count } from '../duration.ts'
import { type DownSentences, type MailBlock, ROWS_LIMIT } from './layout.ts'
import { mailTime } from './mail-time.ts'

export interface DownCandidate {
  readonly check: Check
  /** the check's newest flip; null if the check has not had a flip, or if the flip was deleted because of its age */
  readonly newestFlip: Flip | null
}

interface StillDown {
  readonly check: Check
  /** when the check went down; null if its flip was deleted because of its age */
  readonly since: Instant | null
}

/** Returns the checks that are down at `now`. The checks that have been down longest come first. */
export function stillDown(candidates: readonly DownCandidate[], now: Instant): StillDown[] {
  return candidates
    .filter(({ check }) => statusAt(check, now, expectedIfReadable(check)) === 'down')
    .map((candidate) => ({ check: candidate.check, since: downSince(candidate) }))
    .sort((a, b) => compareOrNull(a.since, b.since))
}

/** Returns when a check went down. If the flip has not been written yet, this is the check's deadline. */
function downSince({ check, newestFlip }: DownCandidate): Instant | null {
  if (check.status !== 'down') return deadline(check, expectedIfReadable(check))
  return newestFlip?.newStatus === 'down' ? newestFlip.createdAt : null
}

function compareOrNull(a: Instant | null, b: Instant | null): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null)
  return Temporal.Instant.compare(a, b)
}

export function reminderTitle(down: readonly StillDown[]): string {
  return `Reminder: ${count(down.length, 'check')} still down`
}

/**
 * Formats the first {@link ROWS_LIMIT} checks as a list.
 * @param sentences a sentence for each of these checks
 * @param tz IANA name of the time zone for all times
 */
export function reminderBlocks(
  down: readonly StillDown[],
  projectName: string,
  links: Links,
  tz: string,
  sentences: DownSentences,
): MailBlock[] {
  const shown = down.slice(0, ROWS_LIMIT)
  const hidden = down.length - shown.length
  return [
    { kind: 'paragraph', text: `Project ${oneLine(projectName)}. Times are in ${tz}.` },
    {
      kind: 'table',
      heads: ['Check', 'Down since', 'What is wrong'],
      rows: shown.map(({ check, since }) => [
        { label: oneLine(nameOf(check)), url: checkPageUrl(check.id, links) },
        since ? mailTime(since, tz) : 'more than three months ago',
        sentences.get(check.id) ?? '',
      ]),
    },
    ...(hidden > 0
      ? [{ kind: 'paragraph', text: `Not shown: the ${count(hidden, 'check')} that went down last.` } as const]
      : []),
  ]
}
