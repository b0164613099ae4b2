/**
 * Schemas of API responses. Only tests validate responses against them. For a long list, validation would account for a third of the
 * response time.
 */

import { CheckSpec } from '../../../domain/check/check.ts'
import { CHECK_FIELDS } from '../../../domain/check/fields.ts'
import {
  type ApiVersion,
  COMMON_MEMBERS,
  type DerivedMember,
  type FlipsForm,
} from '../../../domain/check/representation.ts'
import { Text, type TSchema, Type } from '../../../domain/schema.ts'
import { CHANNEL_KINDS } from '../../../services/channels/channel-kinds.ts'
import { UUID, uuid } from '../door/path-parameters.ts'
import { PreviewSpec } from '../preview.ts'
import { schemaRef } from './parts.ts'
import { SCHEDULE_PREVIEW } from './preview-schemas.ts'
import { closed, count, oneOf, orNull, text, written } from './schema-parts.ts'

export const UNIQUE_KEY = Text({
  pattern: '^[0-9a-f]{40}$',
  description: 'Identifies the check for read-only access. It is derived from the UUID, but does not reveal it.',
})

const url = (description: string) => Text({ format: 'uri', description })
const instantOrNull = (description: string) => orNull(Text({ format: 'date-time' }), description)
const flag = (description: string) => Type.Boolean({ description })

/** Returns the schema for one of a check's fields in a response. Responses and requests have the same limits. */
function answered({ type, anyOf, pattern, description = '' }: TSchema): TSchema {
  if (type === 'integer') return count(description)
  if (type === 'boolean') return flag(description)
  const values = anyOf?.map((literal: TSchema) => literal.const)
  if (values) return oneOf(values, description)
  return Text({ ...(pattern === undefined ? {} : { pattern }), description })
}

const FIELDS = Object.fromEntries(Object.values(CHECK_FIELDS).map(({ wire, schema }) => [wire, answered(schema)]))
const { subject, subject_fail } = CheckSpec.properties

function sharedMembers(version: ApiVersion): Record<string, TSchema> {
  const statuses = ['new', 'up', 'grace', 'down', 'paused', ...(version === 1 ? ['started'] : [])]
  const derived: Readonly<Record<DerivedMember, TSchema>> = {
    n_pings: count('Number of pings received, of any kind.'),
    status: oneOf(statuses, 'Status of the check at the time of the response.'),
    started: flag('True while a run is under way.'),
    last_ping: instantOrNull('Time of the last success or failure.'),
    next_ping: instantOrNull('Time of the next expected ping.'),
    subject: answered(subject),
    subject_fail: answered(subject_fail),
    badge_url: url('URL of the badge of this check.'),
  }
  const members: Readonly<Record<string, TSchema>> = { ...FIELDS, ...derived }
  return {
    ...Object.fromEntries(COMMON_MEMBERS.map((name) => [name, members[name]])),
    last_duration: Type.Optional(count('Duration of the last run in seconds, if it had a start and an end.')),
  }
}

/** Timing fields: either a period, or a schedule and its time zone. */
const TIMING = {
  timeout: Type.Optional(count('Expected period in seconds. Only simple checks have this field.')),
  schedule: Type.Optional(text('Cron or OnCalendar expression. Simple checks do not have this field.')),
  tz: Type.Optional(text('IANA time zone of `schedule`.')),
}
const EITHER_TIMING = {
  oneOf: [
    { required: ['timeout'], not: { anyOf: [{ required: ['schedule'] }, { required: ['tz'] }] } },
    { required: ['schedule', 'tz'], not: { required: ['timeout'] } },
  ],
}

const WRITABLE_MEMBERS = {
  uuid: uuid('UUID of the check. Anyone who knows it can ping the check.'),
  ping_url: url('URL for the job to call.'),
  update_url: url('URL to read, update and delete the check.'),
  pause_url: url('URL to pause the check.'),
  resume_url: url('URL to resume the check.'),
  channels: Text({
    pattern: `^(${UUID}(,${UUID})*)?$`,
    description: 'UUIDs of the assigned channels, in order, separated by commas.',
  }),
}

const BADGE_URLS = closed(
  {
    svg: url('Image with two states, up and down.'),
    svg3: url('Image with three states, up, late and down.'),
    json: url('The same two states as JSON.'),
    json3: url('The same three states as JSON.'),
    shields: url('The same two states as JSON for shields.io.'),
    shields3: url('The same three states as JSON for shields.io.'),
  },
  { description: 'URLs of the public badges of one tag.' },
)

const PING = closed(
  {
    type: oneOf(['success', 'start', 'fail', 'log', 'ign'], 'Kind of ping. `ign` means that the check ignored it.'),
    date: Text({ format: 'date-time', description: 'Time of the ping, with microseconds unless they are zero.' }),
    occurred_at: Type.Optional(
      Text({
        format: 'date-time',
        description:
          'The time that the sender gave in `at`, for pings that were sent late. `date` is the time of arrival.',
      }),
    ),
    n: Type.Integer({ minimum: 1, description: 'Number of the ping. Each check numbers its pings from 1.' }),
    scheme: oneOf(['http', 'https', 'email'], 'How the ping was received.'),
    remote_addr: orNull(Text(), 'Address of the client.'),
    method: text('Method of the request; empty for email.'),
    ua: text('User agent, cut to 200 characters.'),
    rid: orNull(uuid('Run id.'), 'Run id, if one was sent.'),
    body_url: orNull(Text({ format: 'uri' }), 'URL of the body; null if there is none.'),
    duration: Type.Optional(
      Type.Number({
        minimum: 0,
        description: 'Duration of the run in seconds, on a ping that ended a run of less than 72 hours.',
      }),
    ),
  },
  { description: 'One entry of the log.' },
)

const FLIP = closed(
  {
    timestamp: Text({ format: 'date-time' }),
    up: Type.Union([Type.Literal(1), Type.Literal(0)], { description: '1 if the new status is `up`, otherwise 0.' }),
  },
  { description: 'One status change.' },
)

const CHANNEL = closed(
  {
    id: uuid('UUID of the channel, as in `channels` of a check.'),
    name: text('Name of the channel; may be empty.'),
    kind: oneOf(CHANNEL_KINDS, 'Kind of channel.'),
  },
  { description: 'Where alerts are sent.' },
)

const TOTALS = closed(
  {
    ts: count('UNIX time of the response.'),
    max_ping_id: orNull(Type.Integer({ minimum: 0 }), 'Number of the newest ping.'),
    max_notification_id: orNull(Type.Integer({ minimum: 0 }), 'Number of deliveries.'),
    num_unprocessed_flips: count('Number of unprocessed flips.'),
  },
  { description: 'Totals of the whole server.' },
)

export const API_KEY = Type.Optional(
  Type.Unsafe<unknown>({
    description: 'The read-write key. It is ignored if there is an `X-Api-Key` header.',
    examples: ['odw_…'],
  }),
)

/** The schema that the server validates checks with, plus the optional key. */
const CHECK_BODY = Type.Object(
  {
    ...CheckSpec.properties,
    // A schema cannot express which channels exist.
    channels: Type.Optional(Type.Unsafe<string>({ ...CheckSpec.properties.channels, format: 'channels' })),
    api_key: API_KEY,
  },
  {
    additionalProperties: true,
    description:
      'All fields are optional. Unknown fields are ignored, so that a client can send back a check that it has read.',
  },
)

const PREVIEW_BODY = Type.Object(
  {
    ...PreviewSpec.properties,
    // The server parses the schedule itself, so that it can report the position of a mistake.
    schedule: Type.Optional(Type.Unsafe<string>({ ...PreviewSpec.properties.schedule, format: 'schedule' })),
    api_key: API_KEY,
  },
  { additionalProperties: true, description: 'All fields are optional. Unknown fields are ignored.' },
)

const KEY_BODY = Type.Union([Type.Object({ api_key: API_KEY }, { additionalProperties: true }), Type.Null()], {
  description: 'Optional. If the body is an object, it may contain the key.',
})

const ERROR_WORDS = text('Description of the problem.')
export const ERROR = closed({ error: ERROR_WORDS }, { description: 'The body of every error.' })

/** Returns the schemas, keyed by name, in the order in which the reference page lists them. */
export function schemas(version: ApiVersion, form: FlipsForm): Readonly<Record<string, TSchema>> {
  const shared = sharedMembers(version)
  const flips = Type.Array(Type.Unsafe(schemaRef('Flip')), { description: 'Newest first.' })
  return {
    Check: closed(
      { ...shared, ...WRITABLE_MEMBERS, ...TIMING },
      { ...EITHER_TIMING, description: 'A check, as returned for a read-write key.' },
    ),
    ReadOnlyCheck: closed(
      { ...shared, unique_key: UNIQUE_KEY, ...TIMING },
      {
        ...EITHER_TIMING,
        description: 'A check, as returned for a read-only key: without anything that allows pinging or changing it.',
      },
    ),
    CheckSpec: written(CHECK_BODY),
    PreviewSpec: written(PREVIEW_BODY),
    SchedulePreview: SCHEDULE_PREVIEW,
    KeyOnly: KEY_BODY,
    Ping: PING,
    Flip: FLIP,
    Flips: form === 'array' ? flips : closed({ flips }),
    Channel: CHANNEL,
    BadgeUrls: BADGE_URLS,
    Totals: TOTALS,
    Error: ERROR,
    PlacedError: closed(
      {
        error: ERROR_WORDS,
        position: Type.Optional(count('Start of the mistake in `schedule`, counted in UTF-16 code units from 0.')),
        length: Type.Optional(count('Length of the mistake in UTF-16 code units.')),
      },
      { description: 'The body of an error. If the schedule is wrong, it locates the mistake.' },
    ),
  }
}
