/** Converts rows of checks and their counters to checks. */
import {
  type Check,
  type CheckState,
  NEW_STATE,
  type NewCheck,
  type StoredStatus,
  type WatchedCheck,
} from '../../domain/check/check.ts'
import {
  type CheckSettings,
  type Fields,
  type FieldValue,
  JUDGING_FIELDS,
  LABEL_FIELDS,
} from '../../domain/check/fields.ts'
import { uniqueKey } from '../../domain/check/unique-key.ts'
import { compileObject } from '../../lib/compiled-object.ts'
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import { assignments, instantOrNull, microsecondsOrNull, quoted } from './rows.ts'
import type { Value } from './value.ts'

/** The columns that are updated by every ping to a check. */
export interface CounterRow {
  counter_id: number
  n_pings: number
  last_ping_at: number | null
  last_success_at: number | null
  last_start_at: number | null
  last_start_rid: string | null
  last_duration: number | null
  spared_until: number | null
  runs: Uint8Array | null
  last_start_occurred_at: number | null
}

/**
 * Excludes staged checks. They have a negative `counter_id`, so a join with the counters does not find them. Statements that have no such
 * join and do not look up checks by project need this condition.
 */
export const SHOWN_CHECK = 'checks.counter_id > 0'

/** The columns that a ping needs besides the counters. */
export interface WatchedRow extends FieldColumns<typeof JUDGING_FIELDS> {
  id: string
  project_id: string
  counter_id: number
  status: StoredStatus
  n_events: number
  alert_after: number | null
}

/** Column types. Text columns contain strings, and all others contain integers; flags are 0 or 1. */
type FieldColumns<Of extends Fields> = {
  [Name in keyof Of as Of[Name]['column']]: FieldValue<Of[Name]> extends boolean ? number : FieldValue<Of[Name]>
}

const { startKw, successKw, failureKw, ...others } = JUDGING_FIELDS
/** The fields in the order of their columns in statements. */
const WATCHED_FIELDS = { ...others, startKw, successKw, failureKw }
const { slug, ...labels } = LABEL_FIELDS
const LABELS = { slug, ...labels }
const STORED_FIELDS = { ...WATCHED_FIELDS, ...LABELS }

const columnsOf = (fields: Fields) => Object.values(fields).map(({ column }) => column)

/** The columns of {@link WatchedRow}. */
export const WATCHED_COLUMNS = [
  ...['id', 'project_id', 'counter_id', 'status', 'n_events', 'alert_after'],
  ...columnsOf(WATCHED_FIELDS),
]

/** Names of the columns that contain strings. */
export const TEXT_COLUMNS = Object.values(STORED_FIELDS).flatMap(({ column, initial }) =>
  typeof initial === 'string' ? [column] : [],
)

/** All columns of a check, read from {@link CHECKS}. */
export interface CheckRow extends WatchedRow, CounterRow, FieldColumns<typeof LABEL_FIELDS> {
  badge_key: string
  public_id: string
  created_at: number
}

/** The counters that the rules use, in the order of {@link counterValues}. */
export const COUNTER_COLUMNS = [
  'n_pings',
  'last_ping_at',
  'last_success_at',
  'last_start_at',
  'last_start_rid',
  'last_duration',
  'spared_until',
  'runs',
  'last_start_occurred_at',
] as const

/** The columns that lists need, as read by {@link toCheck}. Reading only these is faster than reading all columns. */
export const LISTED_COLUMNS = `${WATCHED_COLUMNS.join(', ')}, badge_key, public_id, created_at, ${quoted(columnsOf(LABELS))},
  ${COUNTER_COLUMNS.join(', ')}`

/** The tables from which complete checks are read. */
export const CHECKS = 'checks JOIN counters USING (counter_id)'

/** Returns expressions that read the fields from a row. */
function readFields(fields: Fields) {
  const entries = Object.entries(fields).map(([name, { column, initial }]) => {
    const value = `row.${column}`
    return [name, typeof initial === 'boolean' ? `${value} === 1` : value]
  })
  return Object.fromEntries(entries)
}

const STATE = Object.fromEntries(Object.keys(NEW_STATE).map((name) => [name, `state.${name}`]))
const IDENTITY = {
  id: 'row.id',
  projectId: 'row.project_id',
  badgeKey: 'row.badge_key',
  publicId: 'row.public_id',
  createdAt: 'createdAt',
} as const satisfies Record<keyof NewCheck, string>

const wholeCheck = compileObject<(row: CheckRow, state: CheckState, createdAt: Instant) => Check>(
  ['row', 'state', 'createdAt'],
  { ...IDENTITY, ...STATE, ...readFields(STORED_FIELDS) },
)
const watchedCheck = compileObject<(row: WatchedRow, state: CheckState) => WatchedCheck>(['row', 'state'], {
  id: IDENTITY.id,
  ...STATE,
  ...readFields(WATCHED_FIELDS),
})

export function toCheck(row: CheckRow): Check {
  return wholeCheck(row, toState(row, row), fromMicroseconds(row.created_at))
}

export function toWatchedCheck(row: WatchedRow, counters: CounterRow): WatchedCheck {
  return watchedCheck(row, toState(row, counters))
}

const NO_RUNS = new Uint8Array(0)

function toState(row: Pick<WatchedRow, 'status' | 'n_events'>, counters: CounterRow): CheckState {
  return {
    status: row.status,
    nPings: counters.n_pings,
    nEvents: row.n_events,
    lastPingAt: instantOrNull(counters.last_ping_at),
    lastSuccessAt: instantOrNull(counters.last_success_at),
    lastStartAt: instantOrNull(counters.last_start_at),
    lastStartRid: counters.last_start_rid,
    lastDuration: counters.last_duration,
    sparedUntil: instantOrNull(counters.spared_until),
    runs: counters.runs ?? NO_RUNS,
    lastStartOccurredAt: instantOrNull(counters.last_start_occurred_at),
  }
}

/** The columns of the fields, in the order of {@link settingsValues}. */
export const SETTINGS_COLUMNS = columnsOf(STORED_FIELDS)
const SETTINGS = Object.keys(STORED_FIELDS) as (keyof typeof STORED_FIELDS)[]

export function settingsValues(check: CheckSettings): Value[] {
  return SETTINGS.map((name) => {
    const value = check[name]
    return typeof value === 'boolean' ? Number(value) : value
  })
}

/** The check columns that are written with a flip, in the order of {@link statusValues}. */
export const STATUS_COLUMNS = ['status', 'n_events', 'alert_after'] as const

/** Updates a status. The parameters are {@link statusValues} and the check's id. */
export const UPDATE_STATUS = `UPDATE checks SET ${assignments(STATUS_COLUMNS)} WHERE id = $${STATUS_COLUMNS.length + 1}`

/** @param alertAfter time when the loop next judges the check */
export function statusValues(check: WatchedCheck, alertAfter: Instant | null): Value[] {
  return [check.status, check.nEvents, microsecondsOrNull(alertAfter)]
}

/** The columns of a check, in the order of {@link checkValues}. */
export const CHECK_COLUMNS = [
  'id',
  'project_id',
  'badge_key',
  'public_id',
  'unique_key',
  'created_at',
  'counter_id',
  ...STATUS_COLUMNS,
  ...SETTINGS_COLUMNS,
]
export function checkValues(check: Check, counterId: number, alertAfter: Instant | null): Value[] {
  return [
    check.id,
    check.projectId,
    check.badgeKey,
    check.publicId,
    uniqueKey(check.id),
    toMicroseconds(check.createdAt),
    counterId,
    ...statusValues(check, alertAfter),
    ...settingsValues(check),
  ]
}

export function counterValues(check: WatchedCheck): Value[] {
  return [
    check.nPings,
    microsecondsOrNull(check.lastPingAt),
    microsecondsOrNull(check.lastSuccessAt),
    microsecondsOrNull(check.lastStartAt),
    check.lastStartRid,
    check.lastDuration,
    microsecondsOrNull(check.sparedUntil),
    check.runs.length > 0 ? check.runs : null,
    microsecondsOrNull(check.lastStartOccurredAt),
  ]
}
