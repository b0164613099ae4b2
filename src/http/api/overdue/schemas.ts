/** Request and response schemas of Overdue's own API. */
import { TAGS_LIMIT } from '../../../domain/check/tags.ts'
import { AcknowledgementSpec, NoteSpec, ReleaseSpec } from '../../../domain/incident/spec.ts'
import { Text, type TSchema, Type } from '../../../domain/schema.ts'
import { SilenceEdit } from '../../../domain/silence/edit.ts'
import { SilenceSpec } from '../../../domain/silence/spec.ts'
import { schemaRef } from '../description/parts.ts'
import { closed, count, oneOf, orNull, text, written } from '../description/schema-parts.ts'
import { API_KEY, ERROR, UNIQUE_KEY } from '../description/schemas.ts'
import { UUID, uuid } from '../door/path-parameters.ts'

const INCIDENT_ID = Text({
  pattern: '^[0-9a-f]{40}-[1-9][0-9]{0,14}$',
  description: 'Id of the incident: the unique key of its check, a hyphen, and the number of the event that opened it.',
})

const instant = (description: string) => Text({ format: 'date-time', description })
const instantOrNull = (description: string) => orNull(Text({ format: 'date-time' }), description)

const BY = closed(
  {
    kind: oneOf(['person', 'key', 'command', 'ping'], 'A person, an API key, a command, or a request to the ping URL.'),
    name: orNull(
      Text(),
      'Email address of the person, or first characters of the API key. Null for the other kinds, and whenever a read-only key asks.',
    ),
  },
  { description: 'The person or program that did something.' },
)
const BY_REF = Type.Unsafe(schemaRef('By'))

const SILENCE = closed(
  {
    id: uuid('UUID of the silence.'),
    match: closed(
      {
        checks: Type.Array(Text({ pattern: `^(?:${UUID}|[0-9a-f]{40})$` }), {
          description: 'UUIDs of checks; read-only keys see unique keys instead. If empty, every check matches.',
        }),
        tags: Type.Array(Text(), {
          description: 'Tags that a check must have, all of them. If empty, every check matches.',
        }),
      },
      { description: 'Which checks are silenced. A check must match both lists.' },
    ),
    starts_at: instant('Start of the silence.'),
    ends_at: instantOrNull('End of the silence, whether planned or early. Null if the silence recurs without an end.'),
    until_healthy: Type.Boolean({
      description: 'True if the next success of a check ends the silence for that check.',
    }),
    schedule: orNull(
      Text(),
      'Cron or OnCalendar expression for the start of each window. Null if the silence lasts from its start to its end without a break.',
    ),
    tz: orNull(Text(), 'IANA time zone of the schedule; null if there is no schedule.'),
    duration: orNull(Type.Integer(), 'Length of each window in seconds; null if there is no schedule.'),
    next: orNull(
      closed({ starts_at: instant('Start of the period.'), ends_at: instant('End of the period.') }),
      'The period in which the silence applies now, or applies next. Null if no such period is left.',
    ),
    up_to: oneOf(['warning', 'down'], 'Highest severity that is silenced.'),
    reason: text('Reason for the silence, as its author typed it; may be empty.'),
    active: Type.Boolean({ description: 'True if the silence is in effect at the time of the response.' }),
    created_at: instant('Time when the silence was created.'),
    created_by: BY_REF,
  },
  { description: 'A period in which nobody is alerted of incidents of certain checks.' },
)

const INCIDENT_MEMBERS = {
  id: INCIDENT_ID,
  check: closed(
    {
      unique_key: UNIQUE_KEY,
      name: text('Name of the check.'),
      slug: text('Slug of the check.'),
      tags: text('Tags of the check.'),
    },
    { description: 'The check, as it is now.' },
  ),
  severity: oneOf(['warning', 'down'], 'Severity. It is always `down` at present.'),
  opened_at: instant('Time when the check went down.'),
  resolved_at: instantOrNull('Time when the incident ended; null while it is open.'),
  told_at: instantOrNull('Time when channels were alerted; null if none was alerted.'),
  held: orNull(
    closed({
      why: oneOf(['silence', 'acknowledgement'], 'The reason why the alert is held.'),
      silence: orNull(Text(), 'UUID of the silence; null if an acknowledgement holds the alert.'),
      until: instantOrNull('Time when the hold ends. Null if it lasts until the check recovers.'),
    }),
    'What holds the alert; null if it is not held.',
  ),
  acknowledged: orNull(
    closed({
      at: instant('Time when the person took the incident.'),
      by: BY_REF,
      until: instantOrNull('End of the acknowledgement. Null if it lasts until the check recovers.'),
      note: text('Note of the person; may be empty.'),
    }),
    'The person who has taken the incident; null if nobody has.',
  ),
  next_look_at: instantOrNull('Time when a hold or an acknowledgement ends; null if no end is set.'),
}

const eventOf = (kind: string, members: Record<string, TSchema>) =>
  closed({ n: count('Number of the event.'), at: instant('Time of the event.'), kind: Type.Literal(kind), ...members })

const EVENT = Type.Union(
  [
    eventOf('flip', {
      status: oneOf(['new', 'up', 'down', 'paused'], 'The new status of the check.'),
      reason: oneOf(
        ['', 'timeout', 'fail'],
        'Why the check went down: a missing ping or a failure. Empty for other changes.',
      ),
    }),
    eventOf('held', { silence: text('UUID of the silence.'), until: instant('Time when the silence ends.') }),
    eventOf('acknowledged', {
      by: BY_REF,
      until: instantOrNull('End of the acknowledgement. Null if it lasts until the check recovers.'),
      note: text('Note of the person; may be empty.'),
      taken_from: orNull(
        BY_REF,
        'The person who had taken the incident before; null if nobody had, or if it is the same person.',
      ),
    }),
    eventOf('released', {
      from: oneOf(['silence', 'acknowledgement'], 'The hold that has ended.'),
      by: orNull(BY_REF, 'The person who handed the incident back; null if the acknowledgement expired.'),
    }),
    eventOf('note', { by: BY_REF, text: text('The note.') }),
  ],
  { description: 'An event; `kind` determines its fields.' },
)

/** Returns the schema that the server validates a body with, plus the optional key. */
function withKey(properties: Readonly<Record<string, TSchema>>, description: string): TSchema {
  const body = Type.Object({ ...properties, api_key: API_KEY }, { description, additionalProperties: false })
  return published(written(body)) as TSchema
}

/** Replaces our own formats and keywords with standard JSON Schema. */
function published(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(published)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, published(member)]))
  const { means: _, format, ...others } = members
  if (format === undefined) return others
  if (format === 'tag') return { ...others, pattern: '^[^\\s\\x00]+$', maxLength: TAGS_LIMIT }
  return { ...others, format: format === 'instant' ? 'date-time' : format }
}

/** Pattern that matches a string with at least one non-blank character (by ECMAScript's definition) and no U+0000. */
const NOT_BLANK = '^[^\\x00]*[^\\s\\ufeff\\x00][^\\x00]*$'

/** Schemas, keyed by name, in the order in which the reference page lists them. */
export const OWN_SCHEMAS: Readonly<Record<string, TSchema>> = {
  Silence: SILENCE,
  SilenceSpec: withKey(
    SilenceSpec.properties,
    'An end is required, unless `until_healthy` is true or a `schedule` with a `duration` is given. Unknown fields are refused.',
  ),
  SilenceEdit: withKey(SilenceEdit.properties, 'All fields are optional. Unknown fields are refused.'),
  Incident: closed(INCIDENT_MEMBERS, {
    description: 'An outage of a check, from the flip that began it to the flip that ended it.',
  }),
  OpenedIncident: closed(
    {
      ...INCIDENT_MEMBERS,
      events: Type.Array(Type.Unsafe(schemaRef('IncidentEvent')), { description: 'Oldest first.' }),
    },
    { description: 'An incident, with its events.' },
  ),
  IncidentEvent: EVENT,
  AcknowledgementSpec: withKey(AcknowledgementSpec.properties, 'All fields are optional. Unknown fields are refused.'),
  NoteSpec: withKey(
    { text: { ...NoteSpec.properties.text, pattern: NOT_BLANK } },
    'The note. Unknown fields are refused.',
  ),
  ReleaseSpec: withKey(
    ReleaseSpec.properties,
    'Contains only the key, if the header does not. Unknown fields are refused.',
  ),
  By: BY,
  Error: ERROR,
}
