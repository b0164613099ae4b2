/**
 * What the API answers, as schemas. Answers are not held against them while the program runs, which would cost a third of
 * the time of a long list: tests do that.
 */
import { CHANNEL_KINDS } from '../../domain/channel.ts'
import { CheckSpec } from '../../domain/check.ts'
import type { ApiVersion, FlipsForm } from '../../domain/representation.ts'
import { Text, type TSchema, Type } from '../../domain/schema.ts'
import { schemaRef } from './parts.ts'

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** One of a list of texts. */
export function oneOf(values: readonly string[], description: string): TSchema {
  return Type.Unsafe<string>({ type: 'string', enum: [...values], description })
}

export function uuid(description: string): TSchema {
  return Text({ pattern: `^${UUID}$`, format: 'uuid', description })
}

/** The 40 hexadecimal digits that stand for a check where only reading is allowed. */
export const UNIQUE_KEY = Text({
  pattern: '^[0-9a-f]{40}$',
  description: 'Names the check for those who may only read; it follows from the UUID but does not lead back to it.',
})

const url = (description: string) => Text({ format: 'uri', description })
const orNull = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description })
const instantOrNull = (description: string) => orNull(Text({ format: 'date-time' }), description)
const count = (description: string) => Type.Integer({ minimum: 0, description })
const text = (description: string) => Text({ description })
const flag = (description: string) => Type.Boolean({ description })
/** Nothing but what is named, so that an answer with something else in it is noticed. */
const closed = (properties: Record<string, TSchema>, options = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false })

/** What the schema that writing is validated with says of a field. */
const says = (name: keyof typeof CheckSpec.properties) => CheckSpec.properties[name].description ?? ''

function sharedMembers(version: ApiVersion): Record<string, TSchema> {
  const statuses = ['new', 'up', 'grace', 'down', 'paused', ...(version === 1 ? ['started'] : [])]
  return {
    name: text(says('name')),
    slug: Text({ pattern: '^[a-z0-9_-]*$', description: says('slug') }),
    tags: text(says('tags')),
    desc: text(says('desc')),
    grace: count(says('grace')),
    n_pings: count('Pings received, of any kind.'),
    status: oneOf(statuses, 'As of the moment of the answer.'),
    started: flag('A run is under way.'),
    last_ping: instantOrNull('The last success or failure.'),
    next_ping: instantOrNull('When the next one is expected.'),
    manual_resume: flag(says('manual_resume')),
    methods: oneOf(['', 'POST'], says('methods')),
    subject: text(says('subject')),
    subject_fail: text(says('subject_fail')),
    start_kw: text(says('start_kw')),
    success_kw: text(says('success_kw')),
    failure_kw: text(says('failure_kw')),
    filter_subject: flag(says('filter_subject')),
    filter_body: flag(says('filter_body')),
    filter_http_body: flag(says('filter_http_body')),
    filter_default_fail: flag(says('filter_default_fail')),
    badge_url: url("The check's own badge."),
    last_duration: Type.Optional(count('Seconds of the last run, when it had a start and an end.')),
  }
}

/** Either a period, or a schedule and its time zone. */
const TIMING = {
  timeout: Type.Optional(count('Expected period in seconds, of a simple check.')),
  schedule: Type.Optional(text('Cron or OnCalendar expression, of every other check.')),
  tz: Type.Optional(text('IANA time zone of `schedule`.')),
}
const EITHER_TIMING = {
  oneOf: [
    { required: ['timeout'], not: { anyOf: [{ required: ['schedule'] }, { required: ['tz'] }] } },
    { required: ['schedule', 'tz'], not: { required: ['timeout'] } },
  ],
}

const WRITABLE_MEMBERS = {
  uuid: uuid('Whoever knows it may ping the check.'),
  ping_url: url('Where the job calls.'),
  update_url: url('Where to read, change and delete the check.'),
  pause_url: url('Where to pause it.'),
  resume_url: url('Where to resume it.'),
  channels: Text({
    pattern: `^(${UUID}(,${UUID})*)?$`,
    description: 'UUIDs of the assigned channels, in order, between commas.',
  }),
}

const BADGE_URLS = closed(
  {
    svg: url('Image with two states, up and down.'),
    svg3: url('Image with three states, up, late and down.'),
    json: url('The same two states as JSON.'),
    json3: url('The same three states as JSON.'),
    shields: url('Two states in the JSON that shields.io reads.'),
    shields3: url('Three states in the JSON that shields.io reads.'),
  },
  { description: 'Where the status of all checks of one tag can be shown to the public.' },
)

const PING = closed(
  {
    type: oneOf(['success', 'start', 'fail', 'log', 'ign'], '`ign` was received, but had no effect.'),
    date: Text({ format: 'date-time', description: 'With microseconds, unless they are zero.' }),
    n: Type.Integer({ minimum: 1, description: 'Counts the pings of the check.' }),
    scheme: oneOf(['http', 'https', 'email'], 'How it came in.'),
    remote_addr: orNull(Text(), 'Address of the client.'),
    method: text('Empty for mail.'),
    ua: text('User agent, at most 200 characters.'),
    rid: orNull(uuid('Run id.'), 'Run id, where one was given.'),
    body_url: orNull(Text({ format: 'uri' }), 'Where the body can be read; null when there was none.'),
    duration: Type.Optional(
      Type.Number({ minimum: 0, description: 'Seconds, of a ping that ended a run of less than 72 hours.' }),
    ),
  },
  { description: 'One entry of the log.' },
)

const FLIP = closed(
  {
    timestamp: Text({ format: 'date-time' }),
    up: Type.Union([Type.Literal(1), Type.Literal(0)], { description: '1 when the new status is `up`.' }),
  },
  { description: 'One change of status.' },
)

const CHANNEL = closed(
  {
    id: uuid('What `channels` of a check refers to.'),
    name: text('May be empty.'),
    kind: oneOf(CHANNEL_KINDS, 'Kind.'),
  },
  { description: 'Where news of checks can be sent.' },
)

const TOTALS = closed(
  {
    ts: count('UNIX time of the answer.'),
    max_ping_id: orNull(Type.Integer({ minimum: 0 }), 'Number of the newest ping.'),
    max_notification_id: orNull(Type.Integer({ minimum: 0 }), 'Number of deliveries.'),
    num_unprocessed_flips: count('Flips that nothing was sent for yet.'),
  },
  { description: 'A few figures of the whole server.' },
)

const API_KEY = Type.Optional(
  Type.Unsafe<unknown>({
    description: 'The read-write key, when there is no `X-Api-Key` header; beside one it is not looked at.',
    examples: ['odw_…'],
  }),
)

/** What a client writes: what the server validates with, and the key that may stand beside it. */
const CHECK_BODY = Type.Object(
  {
    ...CheckSpec.properties,
    // Which channels there are, no schema can say.
    channels: Type.Optional(Type.Unsafe<string>({ ...CheckSpec.properties.channels, format: 'channels' })),
    api_key: API_KEY,
  },
  {
    additionalProperties: true,
    description: 'All optional; fields of other names are ignored, so that a check that was read can be posted back.',
  },
)

const KEY_BODY = Type.Union([Type.Object({ api_key: API_KEY }, { additionalProperties: true }), Type.Null()], {
  description: 'Nothing is needed; an object can hold the key.',
})

/** By name, in the order in which they are best read. */
export function schemas(version: ApiVersion, form: FlipsForm): Readonly<Record<string, TSchema>> {
  const shared = sharedMembers(version)
  const flips = Type.Array(Type.Unsafe(schemaRef('Flip')), { description: 'Newest first.' })
  return {
    Check: closed(
      { ...shared, ...WRITABLE_MEMBERS, ...TIMING },
      { ...EITHER_TIMING, description: 'A check, as a read-write key sees it.' },
    ),
    ReadOnlyCheck: closed(
      { ...shared, unique_key: UNIQUE_KEY, ...TIMING },
      { ...EITHER_TIMING, description: 'A check, as a read-only key sees it: nothing in it lets one ping or write.' },
    ),
    CheckSpec: CHECK_BODY,
    KeyOnly: KEY_BODY,
    Ping: PING,
    Flip: FLIP,
    Flips: form === 'array' ? flips : closed({ flips }),
    Channel: CHANNEL,
    BadgeUrls: BADGE_URLS,
    Totals: TOTALS,
    Error: closed({ error: text('What is wrong, in words.') }, { description: 'Every answer that is not a success.' }),
  }
}
