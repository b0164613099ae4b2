/**
 * The fields of a check that users can set. Each is defined only once, in this file. `CheckSettings`, request bodies, responses, the API
 * description, rows, database copies, exports, imports and the audit log are based on these lists.
 *
 * A new field also needs, in this order:
 *
 * 1. a column of `checks`: see `store/sql/migrations.ts`
 * 2. `since` in this file: one more than the version of project files in the last release. A field with `since` is left out when
 *    responses are compared with recorded Healthchecks responses
 * 3. its input: `http/web/pages/check-forms/about.ts` for a label, `http/web/pages/check-forms/schedule/` for a timing,
 *    `http/web/pages/check-forms/rules/fields.ts` for a rule; and `cli/check/options.ts` for a label or a timing. The compiler checks all
 *    but those in `schedule/`
 * 4. `http/web/pages/check/about.ts` and `cli/check/words.ts`, if the field is shown there
 * 5. `docs/api.md`, and `docs/compatibility.md` if Healthchecks does not have it
 */
import type { ScheduleKind } from '../schedule/schedule.ts'
import { canonicalTimeZone } from '../schedule/time-zones.ts'
import { scheduleError } from '../schedule/typed/typed-schedule.ts'
import { defineFormat, type Static, Text, type TSchema, Type } from '../schema.ts'
import { SLUG_LIMIT } from './slug.ts'
import { TAGS_LIMIT } from './tags.ts'

export const CHECK_KINDS = ['simple', 'cron', 'oncalendar'] as const satisfies readonly ('simple' | ScheduleKind)[]
export type CheckKind = (typeof CHECK_KINDS)[number]

export const NAME_LIMIT = 100
/** Limits for a check's period and grace time, in seconds. */
export const SPAN = { minimum: 60, maximum: 31_536_000 } as const

/** Whether a string is a valid cron or OnCalendar expression. */
export function isSchedule(text: string): boolean {
  return scheduleError(text) === null
}

defineFormat('schedule', isSchedule)
defineFormat('timezone', (name) => canonicalTimeZone(name) !== null)

/**
 * When the API returns a field. `always`: for every check. `by kind`: only for checks of the kind that uses it. `never`: clients can
 * neither see nor set it.
 */
type Shown = 'always' | 'by kind' | 'never'

export interface Field<
  Wire extends string = string,
  Schema extends TSchema = TSchema,
  Column extends string = string,
  Seen extends Shown = Shown,
> {
  /** name in the API, project files and the audit log */
  readonly wire: Wire
  /** column in the `checks` table */
  readonly column: Column
  /** schema of the value. A client can set any value that matches it */
  readonly schema: Schema
  /** value in a new check */
  readonly initial: Static<Schema>
  readonly shown: Seen
  /** first project file version that has the field. When an older file is imported, the field gets the same value as in a new check */
  readonly since: number
}

/** Fields by their names in {@link CheckSettings}. */
export type Fields = Readonly<Record<string, Field>>

/** Defines a field. By default, its column has the name given by `wire`, and the API always returns it. */
function field<
  const Wire extends string,
  Schema extends TSchema,
  const Column extends string = Wire,
  const Seen extends Shown = 'always',
>(
  wire: Wire,
  schema: Schema,
  initial: Static<Schema>,
  given: { readonly column?: Column; readonly shown?: Seen; readonly since?: number } = {},
) {
  return { wire, column: wire, schema, initial, shown: 'always', since: 1, ...given } as Field<
    Wire,
    Schema,
    Column,
    Seen
  >
}

const flag = <const Wire extends string>(wire: Wire, description: string) =>
  field(wire, Type.Boolean({ description }), false)
const keywords = <const Wire extends string>(wire: Wire, what: string) =>
  field(wire, Text({ maxLength: 200, description: `Comma-separated, case-sensitive keywords that mean ${what}.` }), '')

/** Fields that help users recognize a check. */
export const LABEL_FIELDS = {
  name: field('name', Text({ maxLength: NAME_LIMIT, description: 'Display name.' }), ''),
  slug: field(
    'slug',
    Text({
      maxLength: SLUG_LIMIT,
      pattern: '^[a-z0-9_-]*$',
      description: 'Identifies the check in ping URLs that use a ping key.',
    }),
    '',
  ),
  /** string as the client sent it, including spaces; see `tags.ts` */
  tags: field('tags', Text({ maxLength: TAGS_LIMIT, description: 'Separated by spaces.' }), ''),
  desc: field('desc', Text({ description: 'Free text.' }), ''),
}

/** Fields that define when pings are expected. */
export const TIMING_FIELDS = {
  kind: field('kind', Type.Union(CHECK_KINDS.map((kind) => Type.Literal(kind))), 'simple', { shown: 'never' }),
  /** expected period of a simple check; stored but unused in other kinds */
  timeoutSeconds: field(
    'timeout',
    Type.Integer({ ...SPAN, description: 'Expected period in seconds; 86400 for a new check.' }),
    86_400,
    { column: 'timeout_seconds', shown: 'by kind' },
  ),
  graceSeconds: field(
    'grace',
    Type.Integer({ ...SPAN, description: 'Seconds to wait after the expected time; 3600 for a new check.' }),
    3_600,
    { column: 'grace_seconds' },
  ),
  /** cron or OnCalendar expression; stored but unused in a simple check */
  schedule: field(
    'schedule',
    Text({
      maxLength: 100,
      format: 'schedule',
      description:
        'Cron or OnCalendar expression, or a word such as `@daily`, which is written out; overrides `timeout`.',
    }),
    '* * * * *',
    { shown: 'by kind' },
  ),
  /** canonical IANA name of the schedule's time zone */
  tz: field(
    'tz',
    Text({ format: 'timezone', description: 'IANA time zone of `schedule`; UTC for a new check.' }),
    'UTC',
    { shown: 'by kind' },
  ),
}

/** Fields that define how pings count. */
export const RULE_FIELDS = {
  manualResume: flag('manual_resume', 'A paused check ignores pings until it is resumed.'),
  /** '' allows every HTTP method, 'POST' only POST */
  methods: field(
    'methods',
    Type.Union([Type.Literal(''), Type.Literal('POST')], {
      description: '`POST`: pings by other methods are logged and ignored.',
    }),
    '',
  ),
  startKw: keywords('start_kw', 'start'),
  successKw: keywords('success_kw', 'success'),
  failureKw: keywords('failure_kw', 'failure'),
  filterSubject: flag('filter_subject', 'Search keywords in the subject of email pings.'),
  filterBody: flag('filter_body', 'Search keywords in the text and HTML of email pings.'),
  filterHttpBody: flag('filter_http_body', 'Search keywords in the first bytes of the body of HTTP pings.'),
  filterDefaultFail: flag(
    'filter_default_fail',
    'When filters find no keyword, the ping is a failure instead of ignored.',
  ),
  /**
   * true: an email without a keyword counts as a success. Only the deprecated `subject_fail` with an empty `subject` sets this field to
   * true. The API never returns it, because the fields that replaced the deprecated ones can't express it.
   */
  mailDefaultSuccess: field('mail_default_success', Type.Boolean(), false, { shown: 'never' }),
}

/** Fields that are needed when a ping arrives or a check times out. */
export const JUDGING_FIELDS = { ...TIMING_FIELDS, ...RULE_FIELDS }

/** All fields, in the order used in API responses and project files. */
export const CHECK_FIELDS = { ...LABEL_FIELDS, ...JUDGING_FIELDS }

export type FieldValue<Of extends Field> = Static<Of['schema']>

/** A check's settings: everything that users can set, and values that are derived only from those fields. */
export type CheckSettings = { readonly [Name in keyof typeof CHECK_FIELDS]: FieldValue<(typeof CHECK_FIELDS)[Name]> }

export const FIELD_NAMES = Object.keys(CHECK_FIELDS) as (keyof CheckSettings)[]

/** A new check's settings. */
export const NEW_SETTINGS = mapped(CHECK_FIELDS, (name, { initial }) => [name, initial]) as CheckSettings

/** Fields as sent by clients. */
export type Written<Of extends Fields> = {
  readonly [Name in keyof Of as Of[Name]['shown'] extends 'never' ? never : Name]: Of[Name]
}

export function writtenFields<Of extends Fields>(fields: Of): Written<Of> {
  return Object.fromEntries(Object.entries(fields).filter(([, { shown }]) => shown !== 'never')) as Written<Of>
}

/** Values by API name. */
export type Members<Of extends Fields> = { readonly [Name in keyof Of as Of[Name]['wire']]: FieldValue<Of[Name]> }

export function membersOf<Of extends Fields>(
  fields: Of,
  settings: Pick<CheckSettings, keyof Of & keyof CheckSettings>,
) {
  const values: Readonly<Record<string, unknown>> = settings
  return mapped(fields, (name, { wire }) => [wire, values[name]]) as Members<Of>
}

/** Returns the settings contained in `members`. */
export function settingsOf(fields: Fields, members: object): Partial<CheckSettings> {
  const values = members as Readonly<Record<string, unknown>>
  const given = Object.entries(fields).filter(([, { wire }]) => values[wire] !== undefined)
  return mapped(Object.fromEntries(given), (name, { wire }) => [name, values[wire]])
}

/** Schemas by API name. In project files, fields that the first version did not have are optional. */
export type Schemas<Of extends Fields> = { readonly [Name in keyof Of as Of[Name]['wire']]: Of[Name]['schema'] }

export function schemasOf<Of extends Fields>(fields: Of): Schemas<Of> {
  const inFiles = ({ schema, since }: Field) => (since > 1 ? Type.Optional(schema) : schema)
  return mapped(fields, (_, each) => [each.wire, inFiles(each)]) as Schemas<Of>
}

function mapped(fields: Fields, of: (name: string, field: Field) => readonly [string, unknown]) {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => of(name, field)))
}
