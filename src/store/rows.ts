/** Rows and what they mean: the wall between integers and text on disk and the types of the domain. */
import type { Channel, ChannelKind } from '../domain/channel.ts'
import type { Check, CheckKind, StoredStatus, WatchedCheck } from '../domain/check.ts'
import type { Delivery, DeliveryState } from '../domain/delivery.ts'
import type { Flip, FlipReason } from '../domain/flip.ts'
import type { Mailing, MailingKind } from '../domain/mailing.ts'
import type { Ping } from '../domain/ping.ts'
import type { KeyKind, Project, StoredKey } from '../domain/project.ts'
import type { PingKind } from '../domain/signal.ts'
import { fromMicroseconds, type Instant, toMicroseconds } from '../domain/time.ts'
import type { Value } from './database.ts'

export function instantOrNull(microseconds: number | null): Instant | null {
  return microseconds === null ? null : fromMicroseconds(microseconds)
}

export function microsecondsOrNull(instant: Instant | null): number | null {
  return instant === null ? null : toMicroseconds(instant)
}

export interface ProjectRow {
  id: string
  name: string
  badge_key: string
  ping_log_limit: number
  created_at: number
}

export function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    name: row.name,
    badgeKey: row.badge_key,
    pingLogLimit: row.ping_log_limit,
    createdAt: fromMicroseconds(row.created_at),
  }
}

export interface KeyRow {
  lookup: string
  project_id: string
  kind: KeyKind
  hint: string
  created_at: number
}

export function toStoredKey(row: KeyRow): StoredKey {
  return {
    lookup: row.lookup,
    projectId: row.project_id,
    kind: row.kind,
    hint: row.hint,
    createdAt: fromMicroseconds(row.created_at),
  }
}

/** What every ping of a check changes. */
export interface CounterRow {
  counter_id: number
  n_pings: number
  last_ping_id: number | null
  last_ping_at: number | null
  last_success_at: number | null
  last_start_at: number | null
  last_start_rid: string | null
  last_duration: number | null
  spared_until: number | null
}

/** What a ping looks at beside the counters. */
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
  created_at: number
  slug: string
  name: string
  tags: string
  desc: string
}

/** What lists show of a check, and all that {@link toCheck} looks at: fewer columns than a join has are read faster. */
export const LISTED_COLUMNS = `${WATCHED_COLUMNS}, badge_key, created_at, slug, name, tags, "desc", n_pings,
  last_ping_at, last_success_at, last_start_at, last_start_rid, last_duration, spared_until`

/** Where whole checks are read from. */
export const CHECKS = 'checks JOIN counters USING (counter_id)'

export function toCheck(row: CheckRow): Check {
  return {
    ...toWatchedCheck(row, row),
    projectId: row.project_id,
    badgeKey: row.badge_key,
    createdAt: fromMicroseconds(row.created_at),
    slug: row.slug,
    name: row.name,
    tags: row.tags,
    desc: row.desc,
  }
}

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
  '"desc"',
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

/** The columns of a check that flips write, in the order of {@link verdictValues}. */
export const VERDICT_COLUMNS = ['status', 'n_flips', 'alert_after'] as const

/** @param alertAfter where the loop is to find the check */
export function verdictValues(check: WatchedCheck, alertAfter: Instant | null): Value[] {
  return [check.status, check.nFlips, microsecondsOrNull(alertAfter)]
}

/** The counters that the rules know, in the order of {@link counterValues}; `last_ping_id` is the log's. */
export const COUNTER_COLUMNS = [
  'n_pings',
  'last_ping_at',
  'last_success_at',
  'last_start_at',
  'last_start_rid',
  'last_duration',
  'spared_until',
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
  ]
}

/** `a = $1, b = $2, …` */
export function assignments(columns: readonly string[]): string {
  return columns.map((column, index) => `${column} = $${index + 1}`).join(', ')
}

/** `$1, $2, …` */
export function placeholders(count: number): string {
  return Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ')
}

export interface PingRow {
  check_id: string
  n: number
  received_at: number
  kind: PingKind
  exit_status: number | null
  rid: string | null
  scheme: string
  method: string
  ua: string
  remote_addr: string | null
  body: Uint8Array | null
}

export function toPing(row: PingRow): Ping {
  return {
    checkId: row.check_id,
    n: row.n,
    receivedAt: fromMicroseconds(row.received_at),
    kind: row.kind,
    exitStatus: row.exit_status,
    rid: row.rid,
    scheme: row.scheme,
    method: row.method,
    ua: row.ua,
    remoteAddr: row.remote_addr,
    body: row.body,
  }
}

export interface FlipRow {
  check_id: string
  n: number
  created_at: number
  old_status: StoredStatus
  new_status: StoredStatus
  reason: FlipReason
}

export function toFlip(row: FlipRow): Flip {
  return {
    checkId: row.check_id,
    n: row.n,
    createdAt: fromMicroseconds(row.created_at),
    oldStatus: row.old_status,
    newStatus: row.new_status,
    reason: row.reason,
  }
}

export interface ChannelRow {
  id: string
  project_id: string
  name: string
  kind: ChannelKind
  settings: string
  created_at: number
  disabled_reason: string | null
  last_error: string | null
  host: string
  awaits_confirmation: number
}

export function toChannel(row: ChannelRow): Channel {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    kind: row.kind,
    settings: JSON.parse(row.settings),
    createdAt: fromMicroseconds(row.created_at),
    disabledReason: row.disabled_reason,
    lastError: row.last_error,
    host: row.host,
    awaitsConfirmation: row.awaits_confirmation !== 0,
  }
}

export interface DeliveryRow {
  id: string
  check_id: string
  flip_n: number
  channel_id: string
  state: DeliveryState
  attempts: number
  created_at: number
}

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    checkId: row.check_id,
    flipN: row.flip_n,
    channelId: row.channel_id,
    state: row.state,
    attempts: row.attempts,
    createdAt: fromMicroseconds(row.created_at),
  }
}

export interface MailingRow {
  channel_id: string
  kind: MailingKind
  project_id: string
  /** never null in a row that was claimed */
  due_at: number
  attempts: number
}

export function toMailing(row: MailingRow): Mailing {
  return {
    channelId: row.channel_id,
    kind: row.kind,
    projectId: row.project_id,
    dueAt: fromMicroseconds(row.due_at),
    attempts: row.attempts,
  }
}
