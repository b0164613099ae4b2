/** A check's log for display: pings and flips, newest first, and a line for each expected run that did not happen. */
import {
  fromMicroseconds,
  type Instant,
  isAtOrAfter,
  isBefore,
  microsecondsBetween,
  toMicroseconds,
} from '../../lib/time.ts'
import { type Check, startedAt } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import { statusAt } from '../check/status.ts'
import { happenedAt, inOrderOfTime } from '../ping/occurred-at.ts'
import type { Ping } from '../ping/ping.ts'
import type { PingKind } from '../ping/signal.ts'
import { type Gap, type MissedSlot, missedSlots } from '../run/missed-slots.ts'

/** The part of a log entry that a timeline uses. */
export interface TimelinePing extends Pick<Ping, 'n' | 'kind' | 'receivedAt' | 'occurredAt'> {
  /** duration of the run that this ping ended, in microseconds; null if it did not end a run */
  readonly duration: number | null
}

/** An event in the log. */
export type LogEvent<P extends TimelinePing> =
  | { readonly kind: 'ping'; readonly at: Instant; readonly ping: P }
  /** `since`: microseconds since the previous flip; null if unknown */
  | { readonly kind: 'flip'; readonly at: Instant; readonly flip: Flip; readonly since: number | null }

/** A line about a run that is not in the log. */
type AbsentLine =
  | MissedSlot
  /** more consecutive missed slots; `at` is the newest of them. `isAtLeast`: true if there are too many to count */
  | { readonly kind: 'more'; readonly at: Instant; readonly count: number; readonly isAtLeast: boolean }

export type TimelineLine<P extends TimelinePing> = LogEvent<P> | AbsentLine

export interface Timeline<P extends TimelinePing> {
  /** pings and flips, newest first */
  readonly events: readonly LogEvent<P>[]
  /**
   * Returns the missing runs between an event and the next newer event, newest first.
   * @param index index of the event
   */
  absentAfter(index: number): readonly AbsentLine[]
  /**
   * Searches the entire log in advance and remembers where no runs are missing, so that later calls of `absentAfter` are fast. Yields every
   * few milliseconds.
   */
  search(): Iterator<void>
}

interface TimelineSource<P extends TimelinePing> {
  readonly check: Check
  /** consecutive pings, starting with the newest; may be the entire log */
  readonly pings: readonly P[]
  /** flips, starting with the newest */
  readonly flips: readonly Flip[]
  /** number of consecutive missed slots that each get their own line, starting with the oldest */
  readonly shownInARow?: number
}

const SHOWN_IN_A_ROW = 3
/**
 * Maximum number of slots to count in one gap. A check that expects a run every minute reaches it within a day. A higher limit would slow
 * down the page.
 */
const COUNTED = 1_000
/** Maximum number of slots to count in a timeline. */
const COUNTED_IN_ALL = 2_000
/** Number of slots to examine between two runs after {@link COUNTED_IN_ALL} is reached. */
const COUNTED_ANYWAY = 20
const SEARCHED_AT_ONCE = 50

/**
 * Creates a timeline. Pings are listed in order of arrival. A late ping counts at the time at which its run happened, so that run is not
 * missing. If no ping is late, missing runs are searched for only where a caller requests them.
 */
export function createTimeline<P extends TimelinePing>(source: TimelineSource<P>, now: Instant): Timeline<P> {
  const { pings, flips } = source
  if (pings.every(({ occurredAt }) => occurredAt === null)) return liveTimeline(source, now)
  return asTheyCame(merge(pings, flips), liveTimeline({ ...source, pings: asIfLive(pings) }, now))
}

/**
 * Returns the pings as if each had arrived when its run happened.
 * @param newestFirst in order of arrival, newest first
 */
export function asIfLive<P extends TimelinePing>(newestFirst: readonly P[]): readonly P[] {
  if (newestFirst.every(({ occurredAt }) => occurredAt === null)) return newestFirst
  const inOrder = inOrderOfTime(newestFirst.toReversed()).toReversed()
  return inOrder.map((ping) => ({ ...ping, receivedAt: happenedAt(ping), occurredAt: null }))
}

/**
 * @param events newest first
 * @param live timeline of the same log as if no ping had been late
 */
function asTheyCame<P extends TimelinePing>(events: readonly LogEvent<P>[], live: Timeline<P>): Timeline<P> {
  let found: ReadonlyMap<number, readonly AbsentLine[]> | null = null
  const findAll = () => {
    const absent = live.events.flatMap((_, index) => live.absentAfter(index))
    return Map.groupBy(absent, ({ at }) => events.findIndex((event) => !isBefore(at, event.at)))
  }
  return {
    events,
    absentAfter(index) {
      found ??= findAll()
      return found.get(index) ?? []
    },
    search: () => live.search(),
  }
}

function liveTimeline<P extends TimelinePing>(source: TimelineSource<P>, now: Instant): Timeline<P> {
  const { check, pings, flips, shownInARow = SHOWN_IN_A_ROW } = source
  const events = merge(pings, flips)
  const runs = events.flatMap((event, index) => (isRun(event) ? [index] : []))
  const places = placesOf(events, runs)
  const known = new Map<number, ReadonlyMap<number, readonly AbsentLine[]>>()
  let budget = COUNTED_IN_ALL
  const look = (place: number, limit: number) => {
    const between = { olderRun: runs[place] ?? 0, newerRun: runs[place - 1] ?? null }
    return findAbsent({ check, events, shownInARow }, between, now, limit)
  }
  const absentIn = (place: number) => {
    const found = known.get(place)
    if (found) return found
    const { lines, counted } = look(place, Math.max(COUNTED_ANYWAY, Math.min(COUNTED, budget)))
    // The next run's own slot is not deducted from the budget, because finding it costs no more than processing the run itself.
    budget -= Math.max(0, counted - 1)
    known.set(place, lines)
    return lines
  }
  return {
    events,
    absentAfter(index) {
      const place = places[index]
      return place === undefined || place >= runs.length ? [] : (absentIn(place).get(index) ?? [])
    },
    *search() {
      for (let place = 0; place < runs.length; place++) {
        const { lines } = look(place, COUNTED_ANYWAY)
        if (lines.size === 0) known.set(place, lines)
        if ((place + 1) % SEARCHED_AT_ONCE === 0) yield
      }
    },
  }
}

/** Returns, for each event, the index in `runs` of the first run that is not newer than the event. */
function placesOf(events: readonly unknown[], runs: readonly number[]): readonly number[] {
  let place = 0
  return events.map((_, index) => {
    if ((runs[place] ?? events.length) < index) place += 1
    return place
  })
}

/** Merges pings and flips, newest first. A ping that causes a flip counts as older than the flip. */
function merge<P extends TimelinePing>(pings: readonly P[], flips: readonly Flip[]): LogEvent<P>[] {
  const events: LogEvent<P>[] = []
  let nextFlip = 0
  const addFlip = (flip: Flip) => {
    nextFlip += 1
    const before = flips[nextFlip]
    const since = before === undefined ? null : microsecondsBetween(before.createdAt, flip.createdAt)
    events.push({ kind: 'flip', at: flip.createdAt, flip, since })
  }
  for (const ping of pings) {
    for (let flip = flips[nextFlip]; flip && isAtOrAfter(flip.createdAt, ping.receivedAt); flip = flips[nextFlip]) {
      addFlip(flip)
    }
    events.push({ kind: 'ping', at: ping.receivedAt, ping })
  }
  for (const flip of flips.slice(nextFlip)) addFlip(flip)
  return events
}

function isRun<P extends TimelinePing>(event: LogEvent<P>): event is Extract<LogEvent<P>, { kind: 'ping' }> {
  return event.kind === 'ping' && (event.ping.kind === 'success' || event.ping.kind === 'fail')
}

/** Indexes of two consecutive runs. Null: there is no newer run. */
interface Between {
  readonly olderRun: number
  readonly newerRun: number | null
}

interface Absent {
  /** lines, keyed by the index of the event that they follow */
  readonly lines: ReadonlyMap<number, readonly AbsentLine[]>
  /** number of counted slots */
  readonly counted: number
}

interface Searched<P extends TimelinePing> extends Required<Pick<TimelineSource<P>, 'check' | 'shownInARow'>> {
  readonly events: readonly LogEvent<P>[]
}

/** @param limit maximum number of slots to examine */
function findAbsent<P extends TimelinePing>(
  { check, events, shownInARow }: Searched<P>,
  between: Between,
  now: Instant,
  limit: number,
): Absent {
  const missed = gapsOf(check, events, between, now).map((gap) => missedSlots(check, gap, limit))
  const found = new Map<number, readonly AbsentLine[]>()
  const slots = missed.flatMap((gap) => gap.slots)
  const isMore = missed.some((gap) => gap.isMore)
  let rest = slots.toReversed()
  for (let index = (between.newerRun ?? -1) + 1; index <= between.olderRun && rest.length > 0; index++) {
    const at = events[index]?.at
    // Times may go backwards if the clock was set back. All remaining slots are then listed at the oldest place.
    const isLast = index === between.olderRun
    const end = isLast || at === undefined ? rest.length : rest.findIndex((slot) => isAtOrAfter(at, slot.at))
    const here = end < 0 ? rest : rest.slice(0, end)
    rest = rest.slice(here.length)
    if (here.length > 0) found.set(index, grouped(here, shownInARow, isMore && found.size === 0))
  }
  return { lines: found, counted: slots.length }
}

/** @param slots newest first, at least one */
function grouped(slots: readonly MissedSlot[], shownInARow: number, isAtLeast: boolean): readonly AbsentLine[] {
  const missing = slots.filter(({ kind }) => kind === 'missing')
  const hidden = missing.slice(0, -shownInARow)
  const [newest] = hidden
  const more: AbsentLine[] = newest ? [{ kind: 'more', at: newest.at, count: hidden.length, isAtLeast }] : []
  return [...slots.filter(({ kind }) => kind === 'late'), ...more, ...missing.slice(-shownInARow)]
}

/** Returns the gaps between two runs, oldest first; empty if no run was expected between them. */
function gapsOf<P extends TimelinePing>(
  check: Check,
  events: readonly LogEvent<P>[],
  { olderRun, newerRun }: Between,
  now: Instant,
): readonly Gap[] {
  const older = events[olderRun]
  const newer = newerRun === null ? null : events[newerRun]
  if (older?.kind !== 'ping') return []
  const flips = events
    .slice(newerRun === null ? 0 : newerRun + 1, olderRun)
    .flatMap((event) => (event.kind === 'flip' ? [event.flip] : []))
    // A flip that was caused by the older run is next to that run in the list.
    .filter(({ createdAt }) => isBefore(older.at, createdAt))
    .toReversed()
  const start = { after: older.at, isDownAfter: older.ping.kind === 'fail' }
  const stop = flips.find(({ newStatus }) => newStatus === 'paused' || newStatus === 'new')
  if (stop) {
    const end = stop.oldStatus === 'down' ? 'down' : 'up'
    const before: Gap = { ...start, until: stop.createdAt, end, flips: flips.slice(0, flips.indexOf(stop)) }
    return [before, ...watchedAgain(check, flips, newer?.kind === 'ping' ? newer.ping : null, now)]
  }
  return untilNext(check, start, flips, newer?.kind === 'ping' ? newer.ping : null, now)
}

/**
 * Returns the gap that begins when a paused check is monitored again because of a user's action, rather than a ping.
 * @param flips oldest first
 * @param newer the next run; null: there is none
 */
function watchedAgain(check: Check, flips: readonly Flip[], newer: TimelinePing | null, now: Instant): readonly Gap[] {
  const at = flips.findLastIndex(({ oldStatus, newStatus }) => oldStatus === 'new' && newStatus === 'up')
  const watch = flips[at]
  const isEnded = flips.slice(at + 1).some(({ newStatus }) => newStatus === 'paused' || newStatus === 'new')
  // The next run may itself be the first one that counts.
  if (watch === undefined || isEnded || (newer && isAtOrAfter(watch.createdAt, newer.receivedAt))) return []
  return untilNext(check, { after: watch.createdAt, isDownAfter: false }, flips.slice(at + 1), newer, now)
}

function untilNext(
  check: Check,
  start: Pick<Gap, 'after' | 'isDownAfter'>,
  flips: readonly Flip[],
  newer: TimelinePing | null,
  now: Instant,
): readonly Gap[] {
  if (newer) return [{ ...start, until: beginOf(newer), end: 'run', flips }]
  if (check.status === 'paused' || check.status === 'new') return []
  const began = startedAt(check)
  if (began) return [{ ...start, until: began, end: 'run', flips }]
  return [{ ...start, until: now, end: isDown(check, now) ? 'down' : 'up', flips }]
}

function beginOf({ receivedAt, duration }: TimelinePing): Instant {
  return duration === null ? receivedAt : fromMicroseconds(toMicroseconds(receivedAt) - duration)
}

/** Whether the check is down. If the schedule is invalid, uses the stored status. */
function isDown(check: Check, now: Instant): boolean {
  try {
    return statusAt(check, now) === 'down'
  } catch {
    return check.status === 'down'
  }
}

/** Kinds of lines that a log can be filtered by. */
export const LINE_KINDS = ['fail', 'success', 'start', 'log', 'ign', 'missing', 'flip'] as const satisfies readonly (
  | PingKind
  | 'missing'
  | 'flip'
)[]
export type LineKind = (typeof LINE_KINDS)[number]

export function kindOf(line: TimelineLine<TimelinePing>): LineKind {
  if (line.kind === 'ping') return line.ping.kind
  return line.kind === 'flip' ? 'flip' : 'missing'
}
