/**
 * The content of a message about a flip. All kinds of channels format the same words, which are Healthchecks' words. Nothing is escaped
 * here, because escaping depends on the place in which a transport puts the text.
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
  /** the check's name, or its UUID without one */
  readonly name: string
  /** the check's page; null for the made-up check of a test */
  readonly link: string | null
  /**
   * the page on which a person acknowledges the incident or mutes the check; null if this is a recovery, or the check has recovered since
   */
  readonly incidentLink: string | null
  /** the page with all alerts of the project; null for the made-up check of a test */
  readonly alertsLink: string | null
  /** the same for all flips of a check, so that receivers group them into one incident */
  readonly incidentKey: string
  /**
   * a sentence about the missing run, the failure or the downtime, as on the check's page; its times name their zone, which is that of the
   * project or of the check
   */
  readonly sentence: string
  /** reason why the check went down, in a few words; null for a recovery */
  readonly reason: string | null
  /** duration of the downtime; null for a check that went down */
  readonly downtime: string | null
  readonly project: string
  readonly description: string
  readonly tags: readonly string[]
  /** `Period`, or `Schedule` and `Time Zone` */
  readonly timing: readonly Fact[]
  readonly totalPings: number
  /** `Success, 5 minutes ago`; `Never` */
  readonly lastPing: string
  /**
   * the first lines of the last ping's body that were not in the last good run's, at most three, each limited in length. Without the last
   * line, which is in the sentence; empty if no line is known to be new
   */
  readonly newLines: readonly string[]
  /** the body of the last ping, at most 1000 characters, or a note that it was dropped; null without one */
  readonly body: string | null
  /** a sentence about the other checks; null when there are none */
  readonly others: string | null
  /** the other checks that are down, unless there are too many to list */
  readonly othersDown: readonly Fact[]
}

const BODY_LIMIT = 1000
/** Enough bytes to detect one character too many: a character has at most four bytes, and a form uses three for each. */
const SHOWN_BYTES = 12 * (BODY_LIMIT + 1)

/** @param pages the linked pages, see {@link Notification} */
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

/** Returns the name of a check in messages. */
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

/** Returns the note in place of a body that was dropped because the log was full; null if none was. */
export function droppedBodyInWords(ping: LastPing | null): string | null {
  if (ping === null || ping.droppedBytes === null) return null
  return `A body of ${ping.droppedBytes} bytes was dropped because the check's log is full.`
}

/** Returns the text of the body, with U+FFFD for invalid UTF-8. The log has the rest of a long body. */
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

/** Returns `All the other checks are up.`, `3 other checks are up, 4 are new, 1 is paused.` Only a monitored check can be up. */
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
