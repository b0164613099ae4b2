/** A check: a monitored job. A check consists of settings (see `fields.ts`) and a state that depends on its pings and the time. */

import type { Instant } from '../../lib/time.ts'
import { scheduleKind } from '../schedule/schedule.ts'
import { canonicalTimeZone } from '../schedule/time-zones.ts'
import { writtenSchedule } from '../schedule/typed/typed-schedule.ts'
import { type Static, Text, Type } from '../schema.ts'
import {
  CHECK_FIELDS,
  type CheckSettings,
  type LABEL_FIELDS,
  NEW_SETTINGS,
  schemasOf,
  settingsOf,
  writtenFields,
} from './fields.ts'
import { slugify } from './slug.ts'

/** A stored status. `grace` and `started` are never stored, because they depend on the current time; see `status.ts`. */
export type StoredStatus = 'new' | 'up' | 'down' | 'paused'

/** A check's state, which changes with pings and time. */
export interface CheckState {
  readonly status: StoredStatus
  /** number of pings of any kind ever received; also the newest ping's `n` */
  readonly nPings: number
  /** number of the newest event; 0 if there is none */
  readonly nEvents: number
  /** time of the last success or failure */
  readonly lastPingAt: Instant | null
  /** time of the last success, even if failures followed */
  readonly lastSuccessAt: Instant | null
  /** time of a start signal that has not been followed by a success or failure yet */
  readonly lastStartAt: Instant | null
  /**
   * when the current run began, if its start was reported late; otherwise null. Deadlines are based on the time of arrival, durations on
   * this time; see {@link startedAt}
   */
  readonly lastStartOccurredAt: Instant | null
  /** run id of the current run. `overlap.ts` explains overlapping runs without ids */
  readonly lastStartRid: string | null
  /** microseconds from the last start to its success or failure */
  readonly lastDuration: number | null
  /**
   * time before which the check can't time out. It is set after a server outage, and when a user starts monitoring the check without a
   * ping. A success or failure clears it
   */
  readonly sparedUntil: Instant | null
  /** results of the last runs, encoded as described in `run-history.ts` */
  readonly runs: Uint8Array
}

export interface Check extends CheckSettings, CheckState {
  /** lowercase UUID, version 4. It is secret, because anyone who knows it can ping the check */
  readonly id: string
  readonly projectId: string
  readonly badgeKey: string
  /** part of the URLs of the check's pages; see `public-id.ts` */
  readonly publicId: string
  readonly createdAt: Instant
}

/** The part of a check that pings and timeouts read or change. */
export type WatchedCheck = Omit<Check, 'projectId' | 'badgeKey' | 'publicId' | 'createdAt' | keyof typeof LABEL_FIELDS>

const WRITTEN_FIELDS = writtenFields(CHECK_FIELDS)

/**
 * The order in which properties are validated. Only the first invalid property is reported, so this order is part of the API. Properties
 * that are not listed are validated last.
 */
const SPEC_ORDER = [
  ...(['channels', 'desc', 'failure_kw', 'filter_subject', 'filter_body', 'filter_http_body'] as const),
  ...(['filter_default_fail', 'grace', 'manual_resume', 'methods', 'name', 'schedule', 'slug', 'start_kw'] as const),
  ...(['subject', 'subject_fail', 'success_kw', 'tags', 'timeout', 'tz', 'unique'] as const),
]

/** Returns an object with the same properties, but with those named in `first` placed first. */
function inOrder<Given extends object>(first: readonly (keyof Given)[], given: Given): Given {
  return { ...Object.fromEntries(first.map((name) => [name, given[name]])), ...given }
}

/** The body of a request that creates or updates a check. Every property is optional. */
export const CheckSpec = Type.Partial(
  Type.Object(
    inOrder(SPEC_ORDER, {
      ...schemasOf(WRITTEN_FIELDS),
      channels: Text({
        description: '`*` for all channels, or a comma-separated list of channel UUIDs or exact names.',
      }),
      subject: Text({ maxLength: 200, description: 'Deprecated: use `success_kw` with `filter_subject`.' }),
      subject_fail: Text({
        maxLength: 200,
        description:
          'Deprecated: use `failure_kw` with `filter_subject`. With an empty `subject`, all other emails are a success.',
      }),
      unique: Type.Array(
        Type.Union([
          Type.Literal('name'),
          Type.Literal('slug'),
          Type.Literal('tags'),
          Type.Literal('timeout'),
          Type.Literal('grace'),
        ]),
        {
          // Clients do send duplicates, which are harmless. The limit keeps a huge array from taking too long to process.
          maxItems: 100,
          description: 'Update the check that has the same values in all of these fields instead of creating one.',
        },
      ),
    }),
  ),
  // Unknown properties are ignored, so that a client can send back a response that it received.
  { additionalProperties: true },
)
export type CheckSpec = Static<typeof CheckSpec>
export type UniqueField = NonNullable<CheckSpec['unique']>[number]

/** Returns when the current run began; null if no run is under way. */
export function startedAt({ lastStartAt, lastStartOccurredAt }: StartTimes): Instant | null {
  // A server running the previous version does not clear `lastStartOccurredAt` when a run ends.
  return lastStartAt && (lastStartOccurredAt ?? lastStartAt)
}

export type StartTimes = Pick<CheckState, 'lastStartAt' | 'lastStartOccurredAt'>

/** The state of a check that has never had a ping. */
export const NEW_STATE: CheckState = {
  status: 'new',
  nPings: 0,
  nEvents: 0,
  lastPingAt: null,
  lastSuccessAt: null,
  lastStartAt: null,
  lastStartOccurredAt: null,
  lastStartRid: null,
  lastDuration: null,
  sparedUntil: null,
  runs: new Uint8Array(0),
}

export interface NewCheck {
  readonly id: string
  readonly projectId: string
  readonly badgeKey: string
  readonly publicId: string
  readonly createdAt: Instant
}

/** Returns a new check with default settings. */
export function newCheck(identity: NewCheck): Check {
  return {
    ...identity,
    ...NEW_SETTINGS,
    ...NEW_STATE,
  }
}

/**
 * Returns the check with the properties in `spec` applied. Its state does not change.
 * @param deriveSlug true for v1 and v2, which derive the slug from the name whenever a request contains a name
 */
export function applySpec(check: Check, spec: CheckSpec, deriveSlug: boolean): Check {
  const derivedSlug = deriveSlug && spec.name !== undefined ? slugify(spec.name) : check.slug
  return {
    ...check,
    ...settingsOf(WRITTEN_FIELDS, spec),
    slug: spec.slug ?? derivedSlug,
    ...timing(check, spec),
    tz: spec.tz === undefined ? check.tz : (canonicalTimeZone(spec.tz) ?? check.tz),
    ...mailFilters(check, spec),
  }
}

/**
 * Returns the timing. `schedule` takes precedence over `timeout`. If only `timeout` is given, the check becomes simple. If neither is
 * given, its kind does not change.
 */
function timing(check: Check, spec: CheckSpec): Pick<Check, 'kind' | 'timeoutSeconds' | 'schedule'> {
  if (spec.schedule !== undefined) {
    const schedule = writtenSchedule(spec.schedule)
    return { kind: scheduleKind(schedule), timeoutSeconds: check.timeoutSeconds, schedule }
  }
  if (spec.timeout !== undefined) return { kind: 'simple', timeoutSeconds: spec.timeout, schedule: check.schedule }
  return { kind: check.kind, timeoutSeconds: check.timeoutSeconds, schedule: check.schedule }
}

type Keywords = Pick<Check, 'startKw' | 'successKw' | 'failureKw' | 'filterSubject' | 'filterBody'>

function mailFilters(check: Check, spec: CheckSpec): Keywords & Pick<Check, 'mailDefaultSuccess'> {
  const keywords = applyKeywords(check, spec)
  return { ...keywords, mailDefaultSuccess: isMailDefaultSuccess(check, spec, keywords) }
}

/** Applies the deprecated `subject` and `subject_fail` first, so that the fields that replaced them take precedence. */
function applyKeywords(check: Check, spec: CheckSpec): Keywords {
  const successKw = spec.subject ?? check.successKw
  const failureKw = spec.subject_fail ?? check.failureKw
  const isDeprecatedUsed = spec.subject !== undefined || spec.subject_fail !== undefined
  const filterSubject = isDeprecatedUsed ? successKw !== '' || failureKw !== '' : check.filterSubject
  return {
    startKw: spec.start_kw ?? check.startKw,
    successKw: spec.success_kw ?? successKw,
    failureKw: spec.failure_kw ?? failureKw,
    filterSubject: spec.filter_subject ?? filterSubject,
    filterBody: spec.filter_body ?? check.filterBody,
  }
}

/**
 * Whether an email without a keyword counts as a success. If a request contains only the deprecated fields, the result depends on them. A
 * client that sends back a response also sends the fields that replaced them. In that case, the value stays the same unless a keyword or a
 * filter changes.
 */
function isMailDefaultSuccess(check: Check, spec: CheckSpec, after: Keywords): boolean {
  const usesDeprecated = spec.subject !== undefined || spec.subject_fail !== undefined
  const replacements = [spec.success_kw, spec.failure_kw, spec.filter_subject, spec.filter_body]
  if (usesDeprecated && replacements.every((field) => field === undefined)) {
    return after.successKw === '' && after.failureKw !== ''
  }
  const names = Object.keys(after) as (keyof Keywords)[]
  return check.mailDefaultSuccess && names.every((name) => after[name] === check[name])
}

/**
 * Returns the values that identify an existing check, by field. Null if the request does not look for one, because `unique` is empty or the
 * body lacks one of the listed fields.
 */
export function uniqueCriteria(spec: CheckSpec): ReadonlyMap<UniqueField, string | number> | null {
  if (!spec.unique || spec.unique.length === 0) return null
  const criteria = new Map<UniqueField, string | number>()
  for (const field of spec.unique) {
    const wanted = spec[field]
    if (wanted === undefined) return null
    criteria.set(field, wanted)
  }
  return criteria
}
