/** A check: a job to monitor, its settings (see `fields.ts`), and the state that results from its pings. */

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

/** The stored status. `grace` and `started` are never stored: they follow from the clock, see `status.ts`. */
export type StoredStatus = 'new' | 'up' | 'down' | 'paused'

/** The state of a check, set by pings and time. */
export interface CheckState {
  readonly status: StoredStatus
  /** number of pings ever received, of any kind; the newest ping's `n` */
  readonly nPings: number
  /** number of the newest event; 0 before the first */
  readonly nEvents: number
  /** the last success or failure */
  readonly lastPingAt: Instant | null
  /** the last success, regardless of later failures */
  readonly lastSuccessAt: Instant | null
  /** a start that has no success or failure yet */
  readonly lastStartAt: Instant | null
  /**
   * beginning of that run, if its start was reported late; null otherwise. Deadlines use the time of arrival, durations this one: see
   * {@link startedAt}
   */
  readonly lastStartOccurredAt: Instant | null
  /** run id of that start; for overlapping starts without one, see `overlap.ts` */
  readonly lastStartRid: string | null
  /** microseconds from the start to the success or failure that closed it */
  readonly lastDuration: number | null
  /**
   * set after an outage of the server, and when a person starts monitoring the check without a ping: it can't time out before this time. A
   * success or failure clears it
   */
  readonly sparedUntil: Instant | null
  /** results of the last runs, in the form of `run-history.ts` */
  readonly runs: Uint8Array
}

export interface Check extends CheckSettings, CheckState {
  /** lower-case UUID, version 4; a secret that allows pings */
  readonly id: string
  readonly projectId: string
  readonly badgeKey: string
  /** part of the addresses of its pages: see `public-id.ts` */
  readonly publicId: string
  readonly createdAt: Instant
}

/** The part of a check that pings and time-outs read and change. */
export type WatchedCheck = Omit<Check, 'projectId' | 'badgeKey' | 'publicId' | 'createdAt' | keyof typeof LABEL_FIELDS>

const WRITTEN_FIELDS = writtenFields(CHECK_FIELDS)

/** Order of validation: the first invalid property is the one reported, so the order is part of the API. Other properties follow. */
const SPEC_ORDER = [
  ...(['channels', 'desc', 'failure_kw', 'filter_subject', 'filter_body', 'filter_http_body'] as const),
  ...(['filter_default_fail', 'grace', 'manual_resume', 'methods', 'name', 'schedule', 'slug', 'start_kw'] as const),
  ...(['subject', 'subject_fail', 'success_kw', 'tags', 'timeout', 'tz', 'unique'] as const),
]

/** Returns the same members, with those of `first` before the others. */
function inOrder<Given extends object>(first: readonly (keyof Given)[], given: Given): Given {
  return { ...Object.fromEntries(first.map((name) => [name, given[name]])), ...given }
}

/** The body of create and update. Every property is optional. */
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
          // Repeats are harmless and clients send them; the limit keeps a huge array from taking long.
          maxItems: 100,
          description: 'Update the check that has the same values in all of these fields instead of creating one.',
        },
      ),
    }),
  ),
  // Unknown properties are ignored, so that a client can post back what it received.
  { additionalProperties: true },
)
export type CheckSpec = Static<typeof CheckSpec>
export type UniqueField = NonNullable<CheckSpec['unique']>[number]

/** Returns the beginning of the run in progress; null if no start waits for its success or failure. */
export function startedAt({ lastStartAt, lastStartOccurredAt }: StartTimes): Instant | null {
  // A server of the previous version leaves the true time of a start that it ends.
  return lastStartAt && (lastStartOccurredAt ?? lastStartAt)
}

export type StartTimes = Pick<CheckState, 'lastStartAt' | 'lastStartOccurredAt'>

/** The state before the first ping. */
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

/** Returns a check before its first ping, with all defaults. */
export function newCheck(identity: NewCheck): Check {
  return {
    ...identity,
    ...NEW_SETTINGS,
    ...NEW_STATE,
  }
}

/**
 * Returns the check with the properties of `spec` applied. Its state never changes.
 * @param deriveSlug v1 and v2 derive the slug from the name whenever a name is sent
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

/** Returns the timing. `schedule` overrides `timeout`. `timeout` alone makes any check simple. Without both, the kind is unchanged. */
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
 * Whether an email without a keyword is a success. Deprecated fields that are sent alone decide. A client that posts back what it received
 * sends them together with the fields that replaced them: then the value is unchanged until a keyword or filter changes.
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
 * Returns the values that `unique` compares, by field. Null if the request doesn't look for an existing check: `unique` is empty, or the
 * body lacks one of its fields.
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
