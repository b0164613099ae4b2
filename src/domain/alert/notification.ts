/**
 * The content of a message about a flip. All kinds of channels use the same wording as Healthchecks. Nothing is escaped here, because the
 * escaping depends on where a transport inserts the text.
 */

import { within } from '../../lib/text/text.ts'
import { type Instant, microsecondsBetween } from '../../lib/time.ts'
import { durationWords } from '../../lib/time-words.ts'
import { failureOf, quotedLine } from '../cause/trouble.ts'
import type { Check } from '../check/check.ts'
import { downtimeBefore, type Flip } from '../check/flip.ts'
import { splitTags } from '../check/tags.ts'
import { uniqueKey } from '../check/unique-key.ts'
import { agoInWords, periodInWords } from '../duration.ts'
import { namedNewLines } from '../output-diff/output-change.ts'
import { startText } from '../ping/body-text.ts'
import type { Ping } from '../ping/ping.ts'
import type { PingKind } from '../ping/signal.ts'
import { codePoints } from '../schema.ts'
import { type ExplainedFlip, type FlipContext, type LastPing, SIBLINGS_NAMED, type Siblings } from './flip-context.ts'
import { flipSentenceText } from './flip-sentence.ts'

export interface Fact {
  readonly label: string
  readonly value: string
}

export interface Notification {
  readonly isDown: boolean
  /** `DOWN` or `UP` */
  readonly status: string
  /** check's name, or its UUID if it has no name */
  readonly name: string
  /** URL of the check's page; null in a test message, whose check does not exist */
  readonly link: string | null
  /** URL of the page on which a user can acknowledge the incident or mute the check; null if the check has recovered */
  readonly incidentLink: string | null
  /** URL of the page with all of the project's alerts; null in a test message, whose check does not exist */
  readonly alertsLink: string | null
  /** key that is the same for all of a check's flips, so that receivers group the messages */
  readonly incidentKey: string
  /**
   * a sentence about the missing run, the failure or the downtime, as on the check's page. Times include the name of their zone, which is
   * the project's or the check's
   */
  readonly sentence: string
  /** short reason why the check went down; null for a recovery */
  readonly reason: string | null
  /** how long the check was down; null if the check went down */
  readonly downtime: string | null
  readonly project: string
  readonly description: string
  readonly tags: readonly string[]
  /** the check's timing, as facts named `Period`, or `Schedule` and `Time Zone` */
  readonly timing: readonly Fact[]
  readonly totalPings: number
  /** last ping, such as `Success, 5 minutes ago` or `Never` */
  readonly lastPing: string
  /**
   * first lines of the last ping's body that the last successful run did not print: at most three, each shortened. The last line is left
   * out, because the sentence quotes it. Empty if no line is known to be new
   */
  readonly newLines: readonly string[]
  /** the last ping's body, at most 1000 characters, or a note that the body was dropped; null if there is none */
  readonly body: string | null
  /** a sentence about the project's other checks; null if there are none */
  readonly others: string | null
  /** other checks that are down; empty if there are too many to list */
  readonly othersDown: readonly Fact[]
}

const BODY_LIMIT = 1000
/**
 * Enough bytes to detect one character too many. A character can take up to four bytes, and form encoding uses three characters for each
 * byte.
 */
const SHOWN_BYTES = 12 * (BODY_LIMIT + 1)

/** @param pages page URLs, see {@link Notification} */
export function describeFlip(
  story: ExplainedFlip,
  pages: Pick<Notification, 'link' | 'incidentLink' | 'alertsLink'>,
  now: Instant,
): Notification {
  const { check, flip } = story
  const isDown = flip.newStatus === 'down'
  const downtime = downtimeBefore(flip, story.previousFlip)
  return {
    isDown,
    status: isDown ? 'DOWN' : 'UP',
    name: nameOf(check),
    ...pages,
    incidentKey: uniqueKey(check.id),
    sentence: flipSentenceText(story, now),
    reason: reasonOf(flip),
    downtime: downtime === null ? null : durationWords(downtime),
    project: story.projectName,
    description: check.desc,
    tags: splitTags(check.tags),
    timing: timingOf(check),
    totalPings: check.nPings,
    lastPing: story.lastPing ? pingInWords(story.lastPing, now) : 'Never',
    newLines: newLinesOf(story),
    body: bodyOf(story.lastPing),
    others: othersOf(story, isDown),
    othersDown: othersDownOf(story, now),
  }
}

/** Returns the name of a check, as shown in messages. */
export function nameOf(check: Pick<Check, 'id' | 'name'>): string {
  return check.name === '' ? check.id : check.name
}

function reasonOf({ reason }: Flip): string | null {
  if (reason === 'timeout') return 'success signal did not arrive on time, grace time passed'
  return reason === 'fail' ? 'received a failure signal' : null
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

const NEW_LINE_LIMIT = 160

function newLinesOf({ change, lastPing, cause }: ExplainedFlip): readonly string[] {
  const lastLine = (lastPing && failureOf(lastPing, cause))?.lastLine ?? null
  const lines = namedNewLines(change, (line) => quotedLine(line) === lastLine)
  return lines.map((line) => within(line.trim(), NEW_LINE_LIMIT))
}

/** Returns a note to show instead of a body that was dropped because the log was full; null if no body was dropped. */
export function droppedBodyInWords(ping: LastPing | null): string | null {
  if (ping === null || ping.droppedBytes === null) return null
  return `A body of ${ping.droppedBytes} bytes was dropped because the check's log is full.`
}

/** Returns the body as text, with U+FFFD in place of invalid UTF-8. If the body was cut off, the rest is in the log. */
function bodyOf(ping: LastPing | null): string | null {
  if (!ping?.body?.length) return droppedBodyInWords(ping)
  const bytes = ping.body.subarray(0, SHOWN_BYTES)
  const text = startText({ bytes, size: ping.bodySize, contentType: ping.contentType }).replaceAll('\u00a0', ' ')
  if (text.length <= BODY_LIMIT || codePoints(text) <= BODY_LIMIT) return text
  return `${[...text].slice(0, BODY_LIMIT).join('')}\n[truncated]`
}

function othersOf({ siblings }: FlipContext, isDown: boolean): string | null {
  const { exist, downCount } = siblings
  if (!exist) return null
  if (downCount === 0) return noneDownWords(siblings)
  const word = isDown ? 'also' : 'still'
  return downCount > SIBLINGS_NAMED
    ? `${downCount} other checks are ${word} down.`
    : `The following checks are ${word} down:`
}

/**
 * Returns a sentence such as `All the other checks are up.` or `3 other checks are up, 4 are new, 1 is paused.` New and paused checks don't
 * count as up.
 */
function noneDownWords({ counts }: Siblings): string {
  if (counts === null) return 'No other check is down.'
  const { up, new: fresh, paused } = counts
  if (fresh + paused === 0) return 'All the other checks are up.'
  const words = [
    up === 0 ? 'No other check is up' : up === 1 ? '1 other check is up' : `${up} other checks are up`,
    ...(fresh === 0 ? [] : [fresh === 1 ? '1 is new' : `${fresh} are new`]),
    ...(paused === 0 ? [] : [paused === 1 ? '1 is paused' : `${paused} are paused`]),
  ]
  return `${words.join(', ')}.`
}

function othersDownOf({ siblings }: FlipContext, now: Instant): Fact[] {
  if (siblings.downCount > SIBLINGS_NAMED) return []
  return siblings.down.map((sibling) => ({
    label: nameOf(sibling),
    value: `last ping: ${sibling.lastPingAt === null ? 'never' : agoInWords(secondsBetween(sibling.lastPingAt, now))}`,
  }))
}

function secondsBetween(earlier: Instant, later: Instant): number {
  return Math.max(0, Math.floor(microsecondsBetween(earlier, later) / 1_000_000))
}
