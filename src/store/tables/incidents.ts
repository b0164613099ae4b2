/** The tables that contain incidents and silences, and the incident events that are not flips. */

import type { IncidentEvent } from '../../domain/incident/event.ts'
import type { Hold } from '../../domain/incident/hold.ts'
import type { Incident } from '../../domain/incident/incident.ts'
import type { Silence } from '../../domain/silence/silence.ts'
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import {
  type Column,
  columns,
  columnsOrNull,
  flag,
  instant,
  json,
  named,
  number,
  orNull,
  table,
  text,
  word,
} from '../sql/columns.ts'

/** A hold as stored in columns. `silenceId` is null for an acknowledgement. */
export interface StoredHold {
  readonly why: Hold['why']
  readonly silenceId: string | null
  readonly until: Instant | null
}

export interface StoredIncident extends Omit<Incident, 'held'> {
  readonly held: StoredHold | null
  /** number of the newest event that belongs to the incident */
  readonly lastN: number
  /** increases with each write */
  readonly revision: number
}

export const INCIDENTS = table<StoredIncident>('incidents', 'check_id n', {
  checkId: text,
  n: number,
  severity: word(),
  openedAt: instant,
  resolvedAt: orNull(instant),
  lastN: number,
  told: orNull(word()),
  toldAt: orNull(instant),
  held: columnsOrNull<StoredHold>({
    why: named('held_why', word()),
    silenceId: named('held_by', orNull(text)),
    until: named('held_until', orNull(instant)),
  }),
  acknowledgement: columnsOrNull({
    at: named('acked_at', instant),
    by: columns({
      kind: named('acked_by_kind', word()),
      accountId: named('acked_by_account', orNull(text)),
      name: named('acked_by_name', text),
    }),
    until: named('acked_until', orNull(instant)),
    note: named('acked_note', text),
    severity: named('acked_severity', word()),
  }),
  nextLookAt: orNull(instant),
  revision: number,
})

/** `ends_at` of a silence that repeats forever. It is later than any time, so statements can compare it like any other value. */
export const NO_END = Number.MAX_SAFE_INTEGER

/** Returns a silence's end as stored in its column. */
export function storedEnd(endsAt: Instant | null): number {
  return endsAt === null ? NO_END : toMicroseconds(endsAt)
}

const instantOrNoEnd: Column<Instant | null> = {
  read: (stored: number) => (stored === NO_END ? null : fromMicroseconds(stored)),
  write: storedEnd,
}

export const SILENCES = table<Silence>('silences', 'id', {
  id: text,
  projectId: text,
  match: columns({ checks: json(), tags: json() }),
  startsAt: instant,
  endsAt: instantOrNoEnd,
  untilHealthy: flag,
  upTo: word(),
  reason: text,
  createdAt: instant,
  createdBy: columnsOrNull({
    kind: named('created_by_kind', word()),
    accountId: named('created_by_account', orNull(text)),
    name: named('created_by_name', text),
  }),
  window: columnsOrNull({ schedule: text, tz: text, seconds: named('duration_seconds', number) }),
})

/** An incident's event in the table of events. */
export interface StoredIncidentEvent {
  readonly checkId: string
  readonly n: number
  readonly createdAt: Instant
  readonly kind: IncidentEvent['kind']
  /** JSON string */
  readonly detail: string
}

/** Columns of `EVENTS` that store these events. The other columns are null. */
export const INCIDENT_EVENTS = table<StoredIncidentEvent>(
  'events',
  'check_id n',
  { checkId: text, n: number, createdAt: instant, kind: word(), detail: text },
  'old_status new_status reason',
)
