/**
 * What a message about a flip says, in plain words; every kind of channel dresses the same words (behaviour of the peer,
 * 5.1). Nothing here is escaped: that depends on where a transport puts it.
 */
import type { Check } from './check.ts'
import { agoInWords, periodInWords, spanInWords } from './duration.ts'
import type { Flip } from './flip.ts'
import type { Ping } from './ping.ts'
import type { Links } from './representation.ts'
import { codePoints } from './schema.ts'
import type { PingKind } from './signal.ts'
import { splitTags } from './tags.ts'
import { type Instant, microsecondsBetween } from './time.ts'
import { uniqueKey } from './unique-key.ts'

/** What is known about a flip. */
export interface FlipStory {
  readonly check: Check
  readonly flip: Flip
  /** the flip before this one; null when there was none */
  readonly previousFlip: Flip | null
  /** the newest ping that is not later than the flip */
  readonly lastPing: Ping | null
  readonly projectName: string
  /** how many other checks the project has */
  readonly siblingCount: number
  /** those of them that are stored as down, in order of creation */
  readonly siblingsDown: readonly Pick<Check, 'id' | 'name' | 'lastPingAt'>[]
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
  /** where a person may look; does not give the UUID away */
  readonly link: string
  /** the same for all flips of a check: what incidents are joined by */
  readonly incidentKey: string
  /** `“Backup” is DOWN` is built from this: why it went down; null on the way up */
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
  /** the body of the last ping, at most 1000 characters; null when it had none */
  readonly body: string | null
  /** what the other checks do, in a sentence; null when there are none */
  readonly others: string | null
  /** the other checks that are down, when they are few enough to be named */
  readonly othersDown: readonly Fact[]
}

const BODY_LIMIT = 1000
const OTHERS_LIMIT = 10

export function describeFlip(story: FlipStory, links: Links, now: Instant): Notification {
  const { check, flip } = story
  const isDown = flip.newStatus === 'down'
  const key = uniqueKey(check.id)
  return {
    isDown,
    status: isDown ? 'DOWN' : 'UP',
    name: nameOf(check),
    link: `${links.siteRoot}/cloaked/${key}/`,
    incidentKey: key,
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

function nameOf(check: Pick<Check, 'id' | 'name'>): string {
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

/** Read leniently; the rest of a long body is left to the log. */
function bodyOf(ping: Ping | null): string | null {
  if (!ping?.body) return null
  const text = new TextDecoder().decode(ping.body).replaceAll('\u00a0', ' ')
  if (text.length <= BODY_LIMIT || codePoints(text) <= BODY_LIMIT) return text
  return `${[...text].slice(0, BODY_LIMIT).join('')}\n[truncated]`
}

function othersOf({ siblingCount, siblingsDown }: FlipStory, isDown: boolean): string | null {
  if (siblingCount === 0) return null
  if (siblingsDown.length === 0) return 'All the other checks are up.'
  if (siblingsDown.length > OTHERS_LIMIT)
    return `${siblingsDown.length} other checks are ${isDown ? 'also' : 'still'} down.`
  return `The following checks are ${isDown ? 'also' : 'still'} down:`
}

function othersDownOf({ siblingsDown }: FlipStory, now: Instant): Fact[] {
  if (siblingsDown.length > OTHERS_LIMIT) return []
  return siblingsDown.map((sibling) => ({
    label: nameOf(sibling),
    value: `last ping: ${sibling.lastPingAt === null ? 'never' : agoInWords(secondsBetween(sibling.lastPingAt, now))}`,
  }))
}

function secondsBetween(earlier: Instant, later: Instant): number {
  return Math.max(0, Math.floor(microsecondsBetween(earlier, later) / 1_000_000))
}
