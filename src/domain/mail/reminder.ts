/** Reminders: a list of a project's checks that are still down. */

import { oneLine } from '../../lib/text.ts'
import { type Instant, microsecondsBetween, Temporal } from '../../lib/time.ts'
import { nameOf } from '../alert/notification.ts'
import type { Check } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import { checkPageUrl, type Links } from '../check/representation.ts'
import { deadline, expectedIfReadable, statusAt } from '../check/status.ts'
import { agoInWords, count } from '../duration.ts'
import type { MailBlock } from './layout.ts'
import { mailTime } from './mail-time.ts'

/** Keeps the email readable; the checks that have been down longest come first. */
const ROWS_LIMIT = 500

export interface DownCandidate {
  readonly check: Check
  /** null when it has none, or when it is so old that it was deleted */
  readonly newestFlip: Flip | null
}

export interface StillDown {
  readonly checkId: string
  readonly name: string
  /** null when the flip is so old that it was deleted */
  readonly since: Instant | null
  readonly lastPingAt: Instant | null
}

/** The checks whose status is down at `now`, those that have been down longest first. */
export function stillDown(candidates: readonly DownCandidate[], now: Instant): StillDown[] {
  return candidates
    .filter(({ check }) => statusAt(check, now, expectedIfReadable(check)) === 'down')
    .map((candidate) => ({
      checkId: candidate.check.id,
      name: oneLine(nameOf(candidate.check)),
      since: downSince(candidate),
      lastPingAt: candidate.check.lastPingAt,
    }))
    .sort((a, b) => compareOrNull(a.since, b.since))
}

/** A check whose flip is not yet written is down since its deadline. */
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

/** @param tz IANA name */
export function reminderBlocks(
  down: readonly StillDown[],
  projectName: string,
  links: Links,
  tz: string,
  now: Instant,
): MailBlock[] {
  const shown = down.slice(0, ROWS_LIMIT)
  const hidden = down.length - shown.length
  const time = (instant: Instant) => `${mailTime(instant, tz)} (${ago(instant, now)})`
  return [
    { kind: 'paragraph', text: `Project ${oneLine(projectName)}.` },
    {
      kind: 'table',
      heads: ['Check', 'Down since', 'Last ping'],
      rows: shown.map(({ checkId, name, since, lastPingAt }) => [
        { label: name, url: checkPageUrl(checkId, links) },
        since ? time(since) : 'more than three months ago',
        lastPingAt ? time(lastPingAt) : 'never',
      ]),
    },
    ...(hidden > 0
      ? [{ kind: 'paragraph', text: `Not shown: the ${count(hidden, 'check')} that went down last.` } as const]
      : []),
  ]
}

function ago(earlier: Instant, now: Instant): string {
  return agoInWords(Math.max(0, Math.floor(microsecondsBetween(earlier, now) / 1_000_000)))
}
