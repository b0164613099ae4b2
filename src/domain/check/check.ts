/**
 * A check: a job to watch, its settings, and the state that its pings have left.
 *
 * A new setting is in `CheckSettings`, `CheckSpec`, `NEW_SETTINGS` and `applySpec`; {@link WatchedCheck} leaves out what pings do not
 * need. After this file, in this order:
 *
 * 1. a column of `checks`: see `store/sql/migrations.ts`; `store/sql/check-rows.ts` reads and writes it
 * 2. `seen.ts` if people can change it, `judging-members.ts` if it judges pings, `representation.ts` for the API
 * 3. `domain/project-file/`, and `import/from-healthchecks/checks.ts` if Healthchecks has it
 * 4. `http/api/description/`, `docs/api.md`. Recorded answers of Healthchecks are compared member by member, so a member that it does
 *    not have goes into `test/conformance/not-yet.ts` and `docs/compatibility.md`
 * 5. `cli/check/`, `http/web/pages/check-forms/`, `http/web/pages/check/about.ts`
 */

import type { Instant } from '../../lib/time.ts'
import { type ScheduleKind, scheduleKind } from '../schedule/schedule.ts'
import { canonicalTimeZone } from '../schedule/time-zones.ts'
import { scheduleError, writtenSchedule } from '../schedule/typed/typed-schedule.ts'
import { defineFormat, type Static, Text, Type } from '../schema.ts'
import { SLUG_LIMIT, slugify } from './slug.ts'
import { TAGS_LIMIT } from './tags.ts'

export const CHECK_KINDS = ['simple', 'cron', 'oncalendar'] as const satisfies readonly ('simple' | ScheduleKind)[]
export type CheckKind = (typeof CHECK_KINDS)[number]

/** The stored status. `grace` and `started` are never stored: they follow from the clock, see `status.ts`. */
export type StoredStatus = 'new' | 'up' | 'down' | 'paused'

/** A check's settings: everything a client can write. */
export interface CheckSettings {
  readonly name: string
  readonly slug: string
  /** as sent, with its spaces; see `tags.ts` */
  readonly tags: string
  readonly desc: string
  readonly kind: CheckKind
  /** expected period of a simple check; kept, unused, on the other kinds */
  readonly timeoutSeconds: number
  readonly graceSeconds: number
  /** cron or OnCalendar text; kept, unused, on a simple check */
  readonly schedule: string
  /** canonical IANA name in which the schedule is read */
  readonly tz: string
  readonly manualResume: boolean
  /** '' allows every method, 'POST' only that one */
  readonly methods: '' | 'POST'
  readonly startKw: string
  readonly successKw: string
  readonly failureKw: string
  readonly filterSubject: boolean
  readonly filterBody: boolean
  readonly filterHttpBody: boolean
  readonly filterDefaultFail: boolean
  /**
   * The deprecated `subject_fail` with an empty `subject` sets it: an email without a keyword is a success. Clients never
   * see it, because the fields that replaced those can't express it.
   */
  readonly mailDefaultSuccess: boolean
}

/** A check's state, set by pings and time. */
export interface CheckState {
  readonly status: StoredStatus
  /** number of pings ever received, of any kind; the newest ping's `n` */
  readonly nPings: number
  /** number of flips ever made; the newest flip's `n` */
  readonly nFlips: number
  /** the last success or failure */
  readonly lastPingAt: Instant | null
  /** the last success, whatever came later */
  readonly lastSuccessAt: Instant | null
  /** a start without its success or failure yet */
  readonly lastStartAt: Instant | null
  /** its run id; of several that overlap without one, see `overlap.ts` */
  readonly lastStartRid: string | null
  /** microseconds from the start to the success or failure that closed it */
  readonly lastDuration: number | null
  /** set after an outage of the server: the check can't time out before this; a success or failure clears it */
  readonly sparedUntil: Instant | null
  /** how the last runs went, in the form of `run-history.ts` */
  readonly runs: Uint8Array
}

export interface Check extends CheckSettings, CheckState {
  /** lower-case UUID, version 4; a secret that allows pings */
  readonly id: string
  readonly projectId: string
  readonly badgeKey: string
  /** in the addresses of its pages: see `public-id.ts` */
  readonly publicId: string
  readonly createdAt: Instant
}

/** The part of a check that pings and time-outs read and change. */
export type WatchedCheck = Omit<
  Check,
  'projectId' | 'badgeKey' | 'publicId' | 'createdAt' | 'name' | 'slug' | 'tags' | 'desc'
>

export const NAME_LIMIT = 100
const TIMEOUT_DEFAULT = 86_400
const GRACE_DEFAULT = 3_600
const SPAN = { minimum: 60, maximum: 31_536_000 } as const

/** True for what can be written out as a valid cron or OnCalendar expression. */
export function isSchedule(text: string): boolean {
  return scheduleError(text) === null
}

defineFormat('schedule', isSchedule)
defineFormat('timezone', (name) => canonicalTimeZone(name) !== null)

const keywords = (what: string) =>
  Type.Optional(Text({ maxLength: 200, description: `Comma-separated, case-sensitive keywords that mean ${what}.` }))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

/**
 * The body of create and update. Every property is optional. The first invalid property in this order is the one reported,
 * so the order is part of the API.
 */
export const CheckSpec = Type.Object(
  {
    channels: Type.Optional(
      Text({ description: '`*` for all channels, or a comma-separated list of channel UUIDs or exact names.' }),
    ),
    desc: Type.Optional(Text({ description: 'Free text.' })),
    failure_kw: keywords('failure'),
    filter_subject: flag('Search keywords in the subject of email pings.'),
    filter_body: flag('Search keywords in the text and HTML of email pings.'),
    filter_http_body: flag('Search keywords in the first bytes of the body of HTTP pings.'),
    filter_default_fail: flag('When filters find no keyword, the ping is a failure instead of ignored.'),
    grace: Type.Optional(
      Type.Integer({ ...SPAN, description: 'Seconds to wait after the expected time; 3600 for a new check.' }),
    ),
    manual_resume: flag('A paused check ignores pings until it is resumed.'),
    methods: Type.Optional(
      Type.Union([Type.Literal(''), Type.Literal('POST')], {
        description: '`POST`: pings by other methods are logged and ignored.',
      }),
    ),
    name: Type.Optional(Text({ maxLength: NAME_LIMIT, description: 'Display name.' })),
    schedule: Type.Optional(
      Text({
        maxLength: 100,
        format: 'schedule',
        description:
          'Cron or OnCalendar expression, or a word such as `@daily`, which is written out; overrides `timeout`.',
      }),
    ),
    slug: Type.Optional(
      Text({
        maxLength: SLUG_LIMIT,
        pattern: '^[a-z0-9_-]*$',
        description: 'Identifies the check in ping URLs that use a ping key.',
      }),
    ),
    start_kw: keywords('start'),
    subject: Type.Optional(
      Text({ maxLength: 200, description: 'Deprecated: use `success_kw` with `filter_subject`.' }),
    ),
    subject_fail: Type.Optional(
      Text({
        maxLength: 200,
        description:
          'Deprecated: use `failure_kw` with `filter_subject`. With an empty `subject`, all other emails are a success.',
      }),
    ),
    success_kw: keywords('success'),
    tags: Type.Optional(Text({ maxLength: TAGS_LIMIT, description: 'Separated by spaces.' })),
    timeout: Type.Optional(
      Type.Integer({ ...SPAN, description: 'Expected period in seconds; 86400 for a new check.' }),
    ),
    tz: Type.Optional(Text({ format: 'timezone', description: 'IANA time zone of `schedule`; UTC for a new check.' })),
    unique: Type.Optional(
      Type.Array(
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
    ),
  },
  // Unknown properties are ignored, so that a client can post back what it received.
  { additionalProperties: true },
)
export type CheckSpec = Static<typeof CheckSpec>
export type UniqueField = NonNullable<CheckSpec['unique']>[number]

/** The defaults. */
export const NEW_SETTINGS: CheckSettings = {
  name: '',
  slug: '',
  tags: '',
  desc: '',
  kind: 'simple',
  timeoutSeconds: TIMEOUT_DEFAULT,
  graceSeconds: GRACE_DEFAULT,
  schedule: '* * * * *',
  tz: 'UTC',
  manualResume: false,
  methods: '',
  startKw: '',
  successKw: '',
  failureKw: '',
  filterSubject: false,
  filterBody: false,
  filterHttpBody: false,
  filterDefaultFail: false,
  mailDefaultSuccess: false,
}

/** Before the first ping. */
export const NEW_STATE: CheckState = {
  status: 'new',
  nPings: 0,
  nFlips: 0,
  lastPingAt: null,
  lastSuccessAt: null,
  lastStartAt: null,
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

/** A check before its first ping, with all defaults. */
export function newCheck(identity: NewCheck): Check {
  return {
    ...identity,
    ...NEW_SETTINGS,
    ...NEW_STATE,
  }
}

/**
 * The check with the properties of `spec` applied. Its state never changes.
 * @param deriveSlug v1 and v2 derive the slug from the name whenever a name is sent
 */
export function applySpec(check: Check, spec: CheckSpec, deriveSlug: boolean): Check {
  const derivedSlug = deriveSlug && spec.name !== undefined ? slugify(spec.name) : check.slug
  return {
    ...check,
    name: spec.name ?? check.name,
    slug: spec.slug ?? derivedSlug,
    tags: spec.tags ?? check.tags,
    desc: spec.desc ?? check.desc,
    ...timing(check, spec),
    graceSeconds: spec.grace ?? check.graceSeconds,
    tz: spec.tz === undefined ? check.tz : (canonicalTimeZone(spec.tz) ?? check.tz),
    manualResume: spec.manual_resume ?? check.manualResume,
    methods: spec.methods ?? check.methods,
    ...mailFilters(check, spec),
    filterHttpBody: spec.filter_http_body ?? check.filterHttpBody,
    filterDefaultFail: spec.filter_default_fail ?? check.filterDefaultFail,
  }
}

/** `schedule` overrides `timeout`. `timeout` alone makes any check simple. Without both the kind stays. */
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

/** The deprecated `subject` and `subject_fail` are applied first, so that the fields that replaced them take precedence. */
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
 * Deprecated fields that are sent alone decide. A client that posts back what it received sends them beside the fields that
 * replaced them: then the value stays until a keyword or filter changes.
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
 * The values that `unique` compares, by field. Null when the request doesn't look for an existing check: `unique` is empty,
 * or the body lacks one of its fields.
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
