/** Parses and builds the query in the log's URL: which kinds of events to show, where the log ends, and the page. */
import { LINE_KINDS, type LineKind } from '../../../../domain/log/log-timeline.ts'
import type { EventName, TimelinePlace } from '../../../../domain/log/timeline-page.ts'
import { addressState, several, textLike } from '../../../../lib/text/address-state.ts'
import { type Instant, Temporal } from '../../../../lib/time.ts'

export interface LogQuery {
  /** kinds of events to show, in the order of {@link LINE_KINDS}; if empty, all kinds are shown */
  readonly kinds: readonly LineKind[]
  /** end of the log in the reader's time zone, such as `2026-11-16T10:00`; '' for now */
  readonly until: string
  /** event at which the page starts; null for the newest page, or for the page that contains the opened ping */
  readonly place: { readonly kind: 'older' | 'newer'; readonly than: EventName } | null
}

/** Names for the kinds of events in URLs. */
const NAMES: Readonly<Record<LineKind, string>> = {
  fail: 'failed',
  success: 'ok',
  start: 'start',
  log: 'log',
  ign: 'ignored',
  missing: 'missing',
  flip: 'up-and-down',
}

const EVENT = /^f?\d{1,15}$/
const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/

export const {
  read: readQuery,
  pairs: pairsOf,
  search: searchOf,
} = addressState<LogQuery>({
  kinds: several(
    'kind',
    (names) => LINE_KINDS.filter((kind) => names.includes(NAMES[kind])),
    (kind) => NAMES[kind],
  ),
  until: textLike('until', (until) => MINUTE.test(until) && untilInstant(until, 'UTC') !== null),
  place: {
    read: (parameters) => placeIn(parameters, 'older') ?? placeIn(parameters, 'newer'),
    write: (place) => (place === null ? [] : [[place.kind, place.than]]),
  },
})

function placeIn(parameters: URLSearchParams, kind: 'older' | 'newer'): LogQuery['place'] {
  const than = parameters.get(kind)
  return than !== null && EVENT.test(than) ? { kind, than } : null
}

/** Formats a time such as `16 Nov 2026, 10:00`. */
export function untilWords(until: string): string {
  return Temporal.PlainDateTime.from(until).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
}

/** Returns the end of the given minute; null if the text is empty or invalid. @param tz the reader's IANA time zone */
export function untilInstant(until: string, tz: string): Instant | null {
  if (until === '') return null
  try {
    return Temporal.PlainDateTime.from(until).toZonedDateTime(tz).toInstant().add({ seconds: 59, milliseconds: 999 })
  } catch {
    return null
  }
}

export function timelinePlace({ place }: LogQuery, opened: number | null): TimelinePlace {
  if (place !== null) return place
  return opened === null ? { kind: 'newest' } : { kind: 'with', ping: opened }
}
