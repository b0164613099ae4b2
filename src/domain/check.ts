/** A check: the job that is watched, how it is to be judged, and what its pings have made of it so far. */
import { parseSchedule, ScheduleError, type ScheduleKind, scheduleKind } from './schedule.ts'
import { defineFormat, type Static, Text, Type } from './schema.ts'
import { SLUG_LIMIT, slugify } from './slug.ts'
import type { Instant } from './time.ts'
import { canonicalTimeZone } from './time-zones.ts'

export type CheckKind = 'simple' | ScheduleKind

/** What is stored. `grace` and `started` are never stored: they follow from the clock, see `status.ts`. */
export type StoredStatus = 'new' | 'up' | 'down' | 'paused'

/** How a check is set up; everything a client can write. */
export interface CheckSettings {
  readonly name: string
  readonly slug: string
  /** as sent, blanks included; see `tags.ts` */
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
  /** '' lets every method ping, 'POST' only that one */
  readonly methods: '' | 'POST'
  readonly startKw: string
  readonly successKw: string
  readonly failureKw: string
  readonly filterSubject: boolean
  readonly filterBody: boolean
  readonly filterHttpBody: boolean
  readonly filterDefaultFail: boolean
  /**
   * Set by the deprecated `subject_fail` with an empty `subject`: a mail that holds no keyword is a success. No client
   * sees it: the fields that replaced those can't say it.
   */
  readonly mailDefaultSuccess: boolean
}

/** What pings and time have made of a check. */
export interface CheckState {
  readonly status: StoredStatus
  /** number of pings ever received, of any kind; the newest ping's `n` */
  readonly nPings: number
  /** number of flips ever made; the newest flip's `n` */
  readonly nFlips: number
  /** the last success or failure */
  readonly lastPingAt: Instant | null
  /** the last success, whatever has become of the check since */
  readonly lastSuccessAt: Instant | null
  /** a start that no success or failure has closed yet */
  readonly lastStartAt: Instant | null
  readonly lastStartRid: string | null
  /** microseconds from the start to the success or failure that closed it */
  readonly lastDuration: number | null
  /** after an outage of our own: silence is not judged before this; a success or failure ends it */
  readonly sparedUntil: Instant | null
}

export interface Check extends CheckSettings, CheckState {
  /** lower-case UUID, version 4; whoever knows it may ping */
  readonly id: string
  readonly projectId: string
  readonly badgeKey: string
  readonly createdAt: Instant
}

/** As much of a check as pings and silence look at, and change. */
export type WatchedCheck = Omit<Check, 'projectId' | 'badgeKey' | 'createdAt' | 'name' | 'slug' | 'tags' | 'desc'>

const TIMEOUT_DEFAULT = 86_400
const GRACE_DEFAULT = 3_600
const SPAN = { minimum: 60, maximum: 31_536_000 } as const

/** True for an expression that can be read. */
export function isSchedule(text: string): boolean {
  try {
    parseSchedule(text, 'UTC')
    return true
  } catch (error) {
    if (error instanceof ScheduleError) return false
    throw error
  }
}

defineFormat('schedule', isSchedule)
defineFormat('timezone', (name) => canonicalTimeZone(name) !== null)

const keywords = (what: string) =>
  Type.Optional(Text({ maxLength: 200, description: `Comma-separated, case-sensitive keywords that mean ${what}.` }))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

/**
 * The body of create and update (spec 4.1, 4.2). Every property is optional. The order is the order in which the first
 * error is reported, so it is part of the contract.
 */
export const CheckSpec = Type.Object(
  {
    channels: Type.Optional(
      Text({ description: '`*` for all, or a comma-separated list of channel UUIDs or exact names.' }),
    ),
    desc: Type.Optional(Text({ description: 'Free text.' })),
    failure_kw: keywords('failure'),
    filter_subject: flag('Search keywords in the subject of mail pings.'),
    filter_body: flag('Search keywords in the text and HTML of mail pings.'),
    filter_http_body: flag('Search keywords in the first bytes of the body of HTTP pings.'),
    filter_default_fail: flag('With a filter on and no keyword found: failure instead of ignored.'),
    grace: Type.Optional(
      Type.Integer({ ...SPAN, description: 'Seconds to wait after the expected time; 3600 for a new check.' }),
    ),
    manual_resume: flag('A paused check ignores pings until it is resumed.'),
    methods: Type.Optional(
      Type.Union([Type.Literal(''), Type.Literal('POST')], {
        description: '`POST`: pings by other methods are logged and ignored.',
      }),
    ),
    name: Type.Optional(Text({ maxLength: 100, description: 'What people call it.' })),
    schedule: Type.Optional(
      Text({ maxLength: 100, format: 'schedule', description: 'Cron or OnCalendar expression; wins over `timeout`.' }),
    ),
    slug: Type.Optional(
      Text({
        maxLength: SLUG_LIMIT,
        pattern: '^[a-z0-9_-]*$',
        description: 'Names the check in ping URLs with a ping key.',
      }),
    ),
    start_kw: keywords('start'),
    subject: Type.Optional(Text({ maxLength: 200, description: 'Deprecated: `success_kw` with `filter_subject`.' })),
    subject_fail: Type.Optional(
      Text({
        maxLength: 200,
        description:
          'Deprecated: `failure_kw` with `filter_subject`. With an empty `subject`, all other emails are a success.',
      }),
    ),
    success_kw: keywords('success'),
    tags: Type.Optional(Text({ maxLength: 500, description: 'Separated by blanks.' })),
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
          // Repeats mean nothing, but clients have sent them; looking at a hundred thousand takes long.
          maxItems: 100,
          description: 'Update the check that agrees in all of these fields instead of creating one.',
        },
      ),
    ),
  },
  // Whatever else a client sends is ignored, so that what it was given can be posted back.
  { additionalProperties: true },
)
export type CheckSpec = Static<typeof CheckSpec>
export type UniqueField = NonNullable<CheckSpec['unique']>[number]

export interface NewCheck {
  readonly id: string
  readonly projectId: string
  readonly badgeKey: string
  readonly createdAt: Instant
}

/** A check as it is before its first ping, with every default of the spec. */
export function newCheck(identity: NewCheck): Check {
  return {
    ...identity,
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
    status: 'new',
    nPings: 0,
    nFlips: 0,
    lastPingAt: null,
    lastSuccessAt: null,
    lastStartAt: null,
    lastStartRid: null,
    lastDuration: null,
    sparedUntil: null,
  }
}

/**
 * The check with `spec` written over it; what `spec` leaves out stays. Never touches state (behaviour of the peer, 1.9).
 * @param deriveSlug v1 and v2 make the slug from the name whenever a name is sent
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

/** `schedule` wins and then `timeout` is dropped; `timeout` alone makes any check simple; neither keeps the kind. */
function timing(check: Check, spec: CheckSpec): Pick<Check, 'kind' | 'timeoutSeconds' | 'schedule'> {
  if (spec.schedule !== undefined) {
    return { kind: scheduleKind(spec.schedule), timeoutSeconds: check.timeoutSeconds, schedule: spec.schedule }
  }
  if (spec.timeout !== undefined) return { kind: 'simple', timeoutSeconds: spec.timeout, schedule: check.schedule }
  return { kind: check.kind, timeoutSeconds: check.timeoutSeconds, schedule: check.schedule }
}

type Keywords = Pick<Check, 'startKw' | 'successKw' | 'failureKw' | 'filterSubject' | 'filterBody'>

function mailFilters(check: Check, spec: CheckSpec): Keywords & Pick<Check, 'mailDefaultSuccess'> {
  const keywords = applyKeywords(check, spec)
  return { ...keywords, mailDefaultSuccess: isMailDefaultSuccess(check, spec, keywords) }
}

/** The deprecated `subject` and `subject_fail` are applied first, so that the fields which replace them override. */
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
 * The deprecated fields decide when they are sent alone. A client that posts back what it was given sends them beside the
 * fields that replaced them: then the check keeps what it has, until one of its keywords or filters changes.
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
 * What `unique` asks to compare (spec 4.1): one stored column and value per field. Null when the request does not look
 * for an existing check at all: no fields, or a listed field that the body does not carry.
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
