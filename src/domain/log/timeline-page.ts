/** A page of a timeline, with the kinds of lines that the reader selected. */
import { type Instant, isAtOrAfter, isBefore } from '../../lib/time.ts'
import {
  kindOf,
  type LineKind,
  type LogEvent,
  type Timeline,
  type TimelineLine,
  type TimelinePing,
} from './log-timeline.ts'

/** Identifies an event in a URL, such as `412` for a ping or `f17` for a flip. */
export type EventName = string

export type TimelinePlace =
  | { readonly kind: 'newest' }
  /** the page before or after this event, which may no longer be stored */
  | { readonly kind: 'older' | 'newer'; readonly than: EventName }
  /** the newest page if it contains this ping, otherwise a page that does */
  | { readonly kind: 'with'; readonly ping: number }

export interface TimelineFilter {
  /** kinds of lines to show; empty: all kinds */
  readonly kinds: readonly LineKind[]
  /** latest time to show; null: now */
  readonly until: Instant | null
}

interface TimelinePage<P extends TimelinePing> {
  /** lines on the page, newest first */
  readonly lines: readonly TimelineLine<P>[]
  /** the next page has the lines that are newer than this event; null: there are no newer lines */
  readonly newer: EventName | null
  readonly older: EventName | null
}

/** Number of lines to show above the ping that the page was opened for, so that newer events are visible too. */
const LEAD = 5

/** @param limit number of lines. A page can have more, because the missing runs between two events stay together */
export function timelinePage<P extends TimelinePing>(
  timeline: Timeline<P>,
  filter: TimelineFilter,
  place: TimelinePlace,
  limit: number,
): TimelinePage<P> {
  const { events } = timeline
  const linesOf = (index: number) => linesAt(timeline, filter, index)
  const { begin, stop } = bounds(timeline, filter, place, limit)
  const lines: TimelineLine<P>[] = []
  let end = begin
  for (; end < (stop ?? events.length) && (stop !== null || lines.length < limit); end++) lines.push(...linesOf(end))
  const first = events[begin]
  const last = events[end - 1]
  const isNewer = range(0, begin).some((index) => linesOf(index).length > 0)
  const isOlder = range(end, events.length).some((index) => linesOf(index).length > 0)
  return {
    lines,
    newer: isNewer && first ? nameOf(first) : null,
    older: isOlder && last ? nameOf(last) : null,
  }
}

/** Returns the nearest newer and the nearest older ping that the filter shows; null if there is none. */
export function neighbours<P extends TimelinePing>(
  { events }: Timeline<P>,
  filter: TimelineFilter,
  n: number,
): { readonly newer: P | null; readonly older: P | null } {
  const pings = events.flatMap((event) =>
    event.kind === 'ping' && (event.ping.n === n || shows(filter, event)) ? [event.ping] : [],
  )
  return { newer: pings.findLast((ping) => ping.n > n) ?? null, older: pings.find((ping) => ping.n < n) ?? null }
}

/** Counts the events that a filter shows, excluding missing runs. */
export function countEvents<P extends TimelinePing>({ events }: Timeline<P>, filter: TimelineFilter): number {
  return events.filter((event) => shows(filter, event)).length
}

function nameOf(event: LogEvent<TimelinePing>): EventName {
  return event.kind === 'ping' ? String(event.ping.n) : `f${event.flip.n}`
}

function shows({ kinds, until }: TimelineFilter, line: TimelineLine<TimelinePing>): boolean {
  return (until === null || isAtOrAfter(until, line.at)) && (kinds.length === 0 || kinds.includes(kindOf(line)))
}

/** Returns an event's line, preceded by lines for the missing runs that followed the event. */
function linesAt<P extends TimelinePing>(
  timeline: Timeline<P>,
  filter: TimelineFilter,
  index: number,
): readonly TimelineLine<P>[] {
  const event = timeline.events[index]
  const { kinds, until } = filter
  const mayBeShown = event !== undefined && (until === null || isBefore(event.at, until))
  // Missing runs are searched for only if the filter shows them, because the search is the slowest step.
  const absent = mayBeShown && (kinds.length === 0 || kinds.includes('missing')) ? timeline.absentAfter(index) : []
  return [...absent, ...(event ? [event] : [])].filter((line) => shows(filter, line))
}

/**
 * Returns the index of the page's first event and the index after its last event. If the latter is null, the page has as many events as
 * fit.
 */
function bounds<P extends TimelinePing>(
  timeline: Timeline<P>,
  filter: TimelineFilter,
  place: TimelinePlace,
  limit: number,
): { readonly begin: number; readonly stop: number | null } {
  const { events } = timeline
  switch (place.kind) {
    case 'newest':
      return { begin: 0, stop: null }
    case 'older':
      return { begin: positions(events, place.than).older, stop: null }
    case 'newer': {
      const { newer } = positions(events, place.than)
      const begin = back(timeline, filter, newer, limit)
      return { begin, stop: begin === 0 ? null : newer }
    }
    case 'with': {
      const { newer } = positions(events, String(place.ping))
      const isOnNewest = back(timeline, filter, newer, limit - LEAD) === 0
      return { begin: isOnNewest ? 0 : back(timeline, filter, newer, LEAD), stop: null }
    }
  }
}

/** Returns the highest index with at least `limit` lines between it and `end`; 0 if there are fewer lines. */
function back<P extends TimelinePing>(
  timeline: Timeline<P>,
  filter: TimelineFilter,
  end: number,
  limit: number,
): number {
  let begin = end
  for (let found = 0; begin > 0 && found < limit; begin--) found += linesAt(timeline, filter, begin - 1).length
  return begin
}

/** `newer`: the number of events that are newer than this one. `older`: the index of the first older event. */
function positions(
  events: readonly LogEvent<TimelinePing>[],
  name: EventName,
): { readonly newer: number; readonly older: number } {
  const isFlip = name.startsWith('f')
  const n = Number(isFlip ? name.slice(1) : name)
  const numberOf = (event: LogEvent<TimelinePing>) =>
    (event.kind === 'flip') === isFlip ? (event.kind === 'flip' ? event.flip.n : event.ping.n) : null
  const found = events.findIndex((event) => numberOf(event) === n)
  if (found >= 0) return { newer: found, older: found + 1 }
  const place = events.findLastIndex((event) => (numberOf(event) ?? n) > n) + 1
  return { newer: place, older: place }
}

function range(from: number, until: number): number[] {
  return Array.from({ length: Math.max(0, until - from) }, (_, index) => from + index)
}
