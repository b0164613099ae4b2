/** The schemas of requests and responses of Overdue's own API. */
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
  description: 'Id of the incident: the unique key of its check, and the number of the event that opened it.',
})

const instant = (description: string) => Text({ format: 'date-time', description })
const instantOrNull = (description: string) => orNull(Text({ format: 'date-time' }), description)

const BY = closed(
  {
    kind: oneOf(['person', 'key', 'command', 'ping'], 'A person, an API key, a command, or a request to the ping URL.'),
    name: orNull(
      Text(),
      'Email of the person, or first characters of the key. Null for the others, and for a read-only key.',
    ),
  },
  { description: 'Who did it.' },
)
const BY_REF = Type.Unsafe(schemaRef('By'))

const SILENCE = closed(
  {
    id: uuid('UUID of the silence.'),
    match: closed(
      {
        checks: Type.Array(Text({ pattern: `^(?:${UUID}|[0-9a-f]{40})$` }), {
          description: 'UUIDs of checks; a read-only key sees unique keys. Empty: any check.',
        }),
        tags: Type.Array(Text(), { description: 'Tags that the check must all have. Empty: any check.' }),
      },
      { description: 'The checks that are silenced: those that match both lists.' },
    ),
    starts_at: instant('Start of the silence.'),
    ends_at: instantOrNull('End of the silence, also of one that was ended early. Null: it recurs without an end.'),
    until_healthy: Type.Boolean({
      description: 'True if the next success of a check ends the silence for that check.',
    }),
    schedule: orNull(
      Text(),
      'Cron or OnCalendar expression of the start of each window. Null: the silence holds from its start to its end.',
    ),
    tz: orNull(Text(), 'IANA time zone of the schedule; null without one.'),
    duration: orNull(Type.Integer(), 'Seconds that each window lasts; null without a schedule.'),
    next: orNull(
      closed({ starts_at: instant('Start of this time.'), ends_at: instant('End of this time.') }),
      'The time in which the silence holds now, or holds next. Null: there is none left.',
    ),
    up_to: oneOf(['warning', 'down'], 'Highest severity that is silenced.'),
    reason: text('Reason, as its author typed it; may be empty.'),
    active: Type.Boolean({ description: 'True if the silence is in effect at the time of the answer.' }),
    created_at: instant('Time of creation.'),
    created_by: BY_REF,
  },
  { description: 'Nobody is alerted of incidents of its checks for a time.' },
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
    { description: 'The check in its present state.' },
  ),
  severity: oneOf(['warning', 'down'], 'Severity. Every incident is `down` today.'),
  opened_at: instant('When the check went down.'),
  resolved_at: instantOrNull('When the incident ended; null while it is open.'),
  told_at: instantOrNull('When channels were alerted; null if none was.'),
  held: orNull(
    closed({
      why: oneOf(['silence', 'acknowledgement'], 'What holds the alert.'),
      silence: orNull(Text(), 'UUID of the silence; null for an acknowledgement.'),
      until: instantOrNull('When the hold ends; null: when the check recovers.'),
    }),
    'Why the alert is held; null: it is not held.',
  ),
  acknowledged: orNull(
    closed({
      at: instant('When somebody took the incident.'),
      by: BY_REF,
      until: instantOrNull('End; null: until the check recovers.'),
      note: text('Their note; may be empty.'),
    }),
    'The person who is on it; null: nobody.',
  ),
  next_look_at: instantOrNull('When a hold or an acknowledgement ends; null: no end is set.'),
}

const eventOf = (kind: string, members: Record<string, TSchema>) =>
  closed({ n: count('Number of the event.'), at: instant('When it happened.'), kind: Type.Literal(kind), ...members })

const EVENT = Type.Union(
  [
    eventOf('flip', {
      status: oneOf(['new', 'up', 'down', 'paused'], 'The new status of the check.'),
      reason: oneOf(['', 'timeout', 'fail'], 'Cause: a missing ping, a failure, or empty for others.'),
    }),
    eventOf('held', { silence: text('UUID of the silence.'), until: instant('When it ends.') }),
    eventOf('acknowledged', {
      by: BY_REF,
      until: instantOrNull('End; null: until the check recovers.'),
      note: text('Their note; may be empty.'),
      taken_from: orNull(BY_REF, 'The person who was on it before; null: nobody, or the same person.'),
    }),
    eventOf('released', {
      from: oneOf(['silence', 'acknowledgement'], 'What no longer holds the alert.'),
      by: orNull(BY_REF, 'The person who handed it back; null: the time was over.'),
    }),
    eventOf('note', { by: BY_REF, text: text('The note.') }),
  ],
  { description: 'An event; `kind` determines its fields.' },
)

/** Returns a schema that the server validates with, plus the optional key. */
function withKey(properties: Readonly<Record<string, TSchema>>, description: string): TSchema {
  const body = Type.Object({ ...properties, api_key: API_KEY }, { description, additionalProperties: false })
  return published(written(body)) as TSchema
}

/** Replaces our own formats and keywords with standard ones. */
function published(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(published)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, published(member)]))
  const { means: _, format, ...others } = members
  if (format === undefined) return others
  if (format === 'tag') return { ...others, pattern: '^[^\\s\\x00]+$', maxLength: TAGS_LIMIT }
  return { ...others, format: format === 'instant' ? 'date-time' : format }
}

/** Pattern that requires a letter or sign, as ECMAScript defines them, and no U+0000. */
const NOT_BLANK = '^[^\\x00]*[^\\s\\ufeff\\x00][^\\x00]*$'

/** Schemas by name, in the order of the reference. */
export const OWN_SCHEMAS: Readonly<Record<string, TSchema>> = {
  Silence: SILENCE,
  SilenceSpec: withKey(
    SilenceSpec.properties,
    'An end is required, unless `until_healthy` is true or a `schedule` with a `duration` is given. Unknown fields are refused.',
  ),
  SilenceEdit: withKey(SilenceEdit.properties, 'All fields are optional. Unknown fields are refused.'),
  Incident: closed(INCIDENT_MEMBERS, {
    description: 'From the flip that took a check down to the flip that ended it.',
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
  ReleaseSpec: withKey(ReleaseSpec.properties, 'Only the key, if it is not in the header. Unknown fields are refused.'),
  By: BY,
  Error: ERROR,
}
