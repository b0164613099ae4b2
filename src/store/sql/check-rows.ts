/** The rows of checks and of their counters, and how they become checks. */
import type { Check, CheckKind, StoredStatus, WatchedCheck } from '../../domain/check/check.ts'
import { fromMicroseconds, type Instant } from '../../lib/time.ts'
import { assignments, instantOrNull, microsecondsOrNull } from './rows.ts'
import type { Value } from './value.ts'

/** What every ping of a check changes. */
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
}

/**
 * A check that an import has staged has a negative `counter_id`, so a join with the counters does not find it. Statements that find checks
 * by other things than their project, and without that join, need this.
 */
export const SHOWN_CHECK = 'checks.counter_id > 0'

/** What a ping needs besides the counters. */
export interface WatchedRow {
  id: string
  project_id: string
  counter_id: number
  status: StoredStatus
  n_flips: number
  alert_after: number | null
  kind: CheckKind
  timeout_seconds: number
  grace_seconds: number
  schedule: string
  tz: string
  manual_resume: number
  methods: '' | 'POST'
  filter_subject: number
  filter_body: number
  filter_http_body: number
  filter_default_fail: number
  mail_default_success: number
  start_kw: string
  success_kw: string
  failure_kw: string
}

/** The columns of {@link WatchedRow}. */
export const WATCHED_COLUMNS = `id, project_id, counter_id, status, n_flips, alert_after, kind, timeout_seconds, grace_seconds,
  schedule, tz, manual_resume, methods, filter_subject, filter_body, filter_http_body, filter_default_fail,
  mail_default_success, start_kw, success_kw, failure_kw`

/** A whole check, read from {@link CHECKS}. */
export interface CheckRow extends WatchedRow, CounterRow {
  badge_key: string
  public_id: string
  created_at: number
  slug: string
  name: string
  tags: string
  desc: string
}

/** The columns that {@link toCheck} reads, for lists: fewer than `*` gives, so faster. */
export const LISTED_COLUMNS = `${WATCHED_COLUMNS}, badge_key, public_id, created_at, slug, name, tags, "desc",
  n_pings, last_ping_at, last_success_at, last_start_at, last_start_rid, last_duration, spared_until, runs`

/** Where whole checks are read from. */
export const CHECKS = 'checks JOIN counters USING (counter_id)'

export function toCheck(row: CheckRow): Check {
  return {
    ...toWatchedCheck(row, row),
    projectId: row.project_id,
    badgeKey: row.badge_key,
    publicId: row.public_id,
    createdAt: fromMicroseconds(row.created_at),
    slug: row.slug,
    name: row.name,
    tags: row.tags,
    desc: row.desc,
  }
}

const NO_RUNS = new Uint8Array(0)

export function toWatchedCheck(row: WatchedRow, counters: CounterRow): WatchedCheck {
  return {
    id: row.id,
    status: row.status,
    nPings: counters.n_pings,
    nFlips: row.n_flips,
    lastPingAt: instantOrNull(counters.last_ping_at),
    lastSuccessAt: instantOrNull(counters.last_success_at),
    lastStartAt: instantOrNull(counters.last_start_at),
    lastStartRid: counters.last_start_rid,
    lastDuration: counters.last_duration,
    sparedUntil: instantOrNull(counters.spared_until),
    runs: counters.runs ?? NO_RUNS,
    kind: row.kind,
    timeoutSeconds: row.timeout_seconds,
    graceSeconds: row.grace_seconds,
    schedule: row.schedule,
    tz: row.tz,
    manualResume: row.manual_resume === 1,
    methods: row.methods,
    filterSubject: row.filter_subject === 1,
    filterBody: row.filter_body === 1,
    filterHttpBody: row.filter_http_body === 1,
    filterDefaultFail: row.filter_default_fail === 1,
    mailDefaultSuccess: row.mail_default_success === 1,
    startKw: row.start_kw,
    successKw: row.success_kw,
    failureKw: row.failure_kw,
  }
}

/** The columns that a client writes, in the order of {@link settingsValues}. */
export const SETTINGS_COLUMNS = [
  'kind',
  'timeout_seconds',
  'grace_seconds',
  'schedule',
  'tz',
  'manual_resume',
  'methods',
  'filter_subject',
  'filter_body',
  'filter_http_body',
  'filter_default_fail',
  'mail_default_success',
  'start_kw',
  'success_kw',
  'failure_kw',
  'slug',
  'name',
  'tags',
  'desc',
] as const

export function settingsValues(check: Check): Value[] {
  return [
    check.kind,
    check.timeoutSeconds,
    check.graceSeconds,
    check.schedule,
    check.tz,
    Number(check.manualResume),
    check.methods,
    Number(check.filterSubject),
    Number(check.filterBody),
    Number(check.filterHttpBody),
    Number(check.filterDefaultFail),
    Number(check.mailDefaultSuccess),
    check.startKw,
    check.successKw,
    check.failureKw,
    check.slug,
    check.name,
    check.tags,
    check.desc,
  ]
}

/** The columns of a check that flips write, in the order of {@link statusValues}. */
export const STATUS_COLUMNS = ['status', 'n_flips', 'alert_after'] as const

/** Takes {@link statusValues} and the id of the check. */
export const UPDATE_STATUS = `UPDATE checks SET ${assignments(STATUS_COLUMNS)} WHERE id = $${STATUS_COLUMNS.length + 1}`

/** @param alertAfter when the loop looks at the check next */
export function statusValues(check: WatchedCheck, alertAfter: Instant | null): Value[] {
  return [check.status, check.nFlips, microsecondsOrNull(alertAfter)]
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
] as const

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
  ]
}
