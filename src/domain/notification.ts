/**
 * What a message about a flip says, in plain words; every kind of channel dresses the same words (behaviour of the peer,
 * 5.1). Nothing here is escaped: that depends on where a transport puts it.
 */
import type { Check } from './check.ts'
import { agoInWords, periodInWords, spanInWords } from './duration.ts'
import type { Flip } from './flip.ts'
import type { Ping } from './ping.ts'
import { checkPageUrl, type Links } from './representation.ts'
import { codePoints } from './schema.ts'
import type { PingKind } from './signal.ts'
import { splitTags } from './tags.ts'
import { type Instant, microsecondsBetween } from './time.ts'
import { uniqueKey } from './unique-key.ts'

/** Another check of the project, as a message names it. */
export type Sibling = Pick<Check, 'id' | 'name' | 'lastPingAt'>

/** The other checks of the project. */
export interface Siblings {
  readonly exist: boolean
  /** how many of them are stored as down */
  readonly downCount: number
  /** those that are down, in order of creation, {@link SIBLINGS_NAMED} at most */
  readonly down: readonly Sibling[]
}

/** More than so many are counted and not named. */
export const SIBLINGS_NAMED = 10

/** How much of a body messages are made from, in bytes: the body of a mail ping may have 32 MB. */
export const BODY_BYTES = { start: 262_144, end: 65_536 } as const

/** A ping with as much of its body as a message may show. */
export interface LastPing extends Ping {
  /** the whole body, or the first `BODY_BYTES.start` bytes of a longer one; null or empty without one */
  readonly body: Uint8Array | null
  /** of the whole body; 0 without one */
  readonly bodySize: number
  /** the last `BODY_BYTES.end` bytes at most; null or empty without a body */
  readonly bodyEnd: Uint8Array | null
  /** length of a body that the log had no room for, so that there is none here; null when none was dropped */
  readonly droppedBytes: number | null
}

/** What is known about a flip. */
export interface FlipStory {
  readonly check: Check
  readonly flip: Flip
  /** the flip before this one; null when there was none */
  readonly previousFlip: Flip | null
  /** the newest ping that is not later than the flip */
  readonly lastPing: LastPing | null
  readonly projectName: string
  readonly siblings: Siblings
}

export interface Fact {
  readonly label: string
  readonly value: string
}

export interface Notification {
  readonly isDown: boolean
  /** `DOWN` or `UP` */
  readonly status: string
  /** the check's name, or its UUID where it has none */
  readonly name: string
  /** where a person may look, without the UUID; null: this server has no page for a check, and the message no link */
  readonly link: string | null
  /** the same for all flips of a check: what incidents are joined by */
  readonly incidentKey: string
  /** why it went down; null on the way up */
  readonly reason: string | null
  /** how long it was down; null on the way down */
  readonly downtime: string | null
  readonly project: string
  readonly description: string
  readonly tags: readonly string[]
  /** `Period`, or `Schedule` and `Time Zone` */
  readonly timing: readonly Fact[]
  readonly totalPings: number
  /** `Success, 5 minutes ago`; `Never` */
  readonly lastPing: string
  /** the body of the last ping, at most 1000 characters, or that it was dropped; null when it had none */
  readonly body: string | null
  /** what the other checks do, in a sentence; null when there are none */
  readonly others: string | null
  /** the other checks that are down, when they are few enough to be named */
  readonly othersDown: readonly Fact[]
}

const BODY_LIMIT = 1000

export function describeFlip(story: FlipStory, links: Links, now: Instant): Notification {
  const { check, flip } = story
  const isDown = flip.newStatus === 'down'
  return {
    isDown,
    status: isDown ? 'DOWN' : 'UP',
    name: nameOf(check),
    link: checkPageUrl(check.id, links),
    incidentKey: uniqueKey(check.id),
    reason: reasonOf(flip),
    downtime: downtimeOf(flip, story.previousFlip),
    project: story.projectName,
    description: check.desc,
    tags: splitTags(check.tags),
    timing: timingOf(check),
    totalPings: check.nPings,
    lastPing: story.lastPing ? pingInWords(story.lastPing, now) : 'Never',
    body: bodyOf(story.lastPing),
    others: othersOf(story, isDown),
    othersDown: othersDownOf(story, now),
  }
}

/** What a message calls a check. */
export function nameOf(check: Pick<Check, 'id' | 'name'>): string {
  return check.name === '' ? check.id : check.name
}

function reasonOf({ reason }: Flip): string | null {
  if (reason === 'timeout') return 'success signal did not arrive on time, grace time passed'
  return reason === 'fail' ? 'received a failure signal' : null
}

function downtimeOf(flip: Flip, previous: Flip | null): string | null {
  if (flip.newStatus !== 'up' || previous?.newStatus !== 'down') return null
  return spanInWords(secondsBetween(previous.createdAt, flip.createdAt))
}

function timingOf(check: Check): Fact[] {
  if (check.kind === 'simple') return [{ label: 'Period', value: periodInWords(check.timeoutSeconds) }]
  return [
    { label: 'Schedule', value: check.schedule },
    { label: 'Time Zone', value: check.tz },
  ]
}

const KIND_WORDS: Readonly<Record<PingKind, string>> = {
  success: 'Success',
  fail: 'Failure',
  start: 'Start',
  log: 'Log',
  ign: 'Ignored',
}

function pingInWords({ kind, exitStatus, receivedAt }: Ping, now: Instant): string {
  const what = kind === 'fail' && exitStatus ? `Exit status ${exitStatus}` : KIND_WORDS[kind]
  return `${what}, ${agoInWords(secondsBetween(receivedAt, now))}`
}

/** What stands in the place of a body that the log had no room for; null where none was dropped. */
export function droppedBodyInWords(ping: LastPing | null): string | null {
  if (ping === null || ping.droppedBytes === null) return null
  return `A body of ${ping.droppedBytes} bytes was dropped: the log of the check is full.`
}

/** Read leniently; the rest of a long body is left to the log. */
function bodyOf(ping: LastPing | null): string | null {
  if (!ping?.body?.length) return droppedBodyInWords(ping)
  // No character takes more than four bytes, so that is enough to tell whether there is one too many.
  const start = ping.body.subarray(0, 4 * (BODY_LIMIT + 1))
  const text = new TextDecoder().decode(start).replaceAll('\u00a0', ' ')
  if (text.length <= BODY_LIMIT || codePoints(text) <= BODY_LIMIT) return text
  return `${[...text].slice(0, BODY_LIMIT).join('')}\n[truncated]`
}

function othersOf({ siblings }: FlipStory, isDown: boolean): string | null {
  const { exist, downCount } = siblings
  if (!exist) return null
  if (downCount === 0) return 'All the other checks are up.'
  const word = isDown ? 'also' : 'still'
  return downCount > SIBLINGS_NAMED
    ? `${downCount} other checks are ${word} down.`
    : `The following checks are ${word} down:`
}

function othersDownOf({ siblings }: FlipStory, now: Instant): Fact[] {
  if (siblings.downCount > SIBLINGS_NAMED) return []
  return siblings.down.map((sibling) => ({
    label: nameOf(sibling),
    value: `last ping: ${sibling.lastPingAt === null ? 'never' : agoInWords(secondsBetween(sibling.lastPingAt, now))}`,
  }))
}

function secondsBetween(earlier: Instant, later: Instant): number {
  return Math.max(0, Math.floor(microsecondsBetween(earlier, later) / 1_000_000))
}
