/** Reminders: the checks of a project that are still down, in words. */
import type { Check } from './check.ts'
import { agoInWords, count } from './duration.ts'
import type { Flip } from './flip.ts'
import { checkCell, type MailBlock } from './mail-layout.ts'
import { mailTime } from './mail-time.ts'
import { nameOf } from './notification.ts'
import { checkPageUrl, type Links } from './representation.ts'
import { deadline, expectedIfReadable, statusAt } from './status.ts'
import { oneLine } from './text.ts'
import { type Instant, microsecondsBetween, Temporal } from './time.ts'

/** What a mail can bear; the checks that are down the longest come first. */
const ROWS_LIMIT = 500

export interface PerhapsDown {
  readonly check: Check
  /** null when it has none, or it is so old that it is forgotten */
  readonly newestFlip: Flip | null
}

export interface StillDown {
  readonly checkId: string
  readonly name: string
  /** null when the flip is so old that it is forgotten */
  readonly since: Instant | null
  readonly lastPingAt: Instant | null
}

/** The checks that display down at `now`, those that are down the longest first. */
export function stillDown(candidates: readonly PerhapsDown[], now: Instant): StillDown[] {
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

/** Before its flip is written a check is down since its deadline. */
function downSince({ check, newestFlip }: PerhapsDown): Instant | null {
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
        checkCell(name, checkPageUrl(checkId, links)),
        since ? time(since) : 'more than three months ago',
        lastPingAt ? time(lastPingAt) : 'never',
      ]),
    },
    ...(hidden > 0
      ? [{ kind: 'paragraph', text: `Not shown: ${count(hidden, 'check')} down no longer than these.` } as const]
      : []),
  ]
}

function ago(earlier: Instant, now: Instant): string {
  return agoInWords(Math.max(0, Math.floor(microsecondsBetween(earlier, now) / 1_000_000)))
}
