/** The body of a request that creates a silence. */
import { type Instant, isoMicroseconds, Temporal } from '../../lib/time.ts'
import { TIMING_FIELDS } from '../check/fields.ts'
import { isTag } from '../check/tags.ts'
import { InstantText } from '../instant.ts'
import { problemInWords } from '../problem-words.ts'
import { canonicalTimeZone } from '../schedule/time-zones.ts'
import { writtenSchedule } from '../schedule/typed/typed-schedule.ts'
import { defineFormat, listProblems, type Static, Text, Type } from '../schema.ts'
import type { MaintenanceWindow } from './maintenance-window.ts'
import { REASON_LIMIT, type Silence, type SilenceTimes } from './silence.ts'
import { SILENCE_SECONDS_MAX, TIMES_FAULTS, timesOf } from './times.ts'

/**
 * Limits for lists of checks and tags. An empty list is rejected, because a script that found no checks would otherwise silence the whole
 * project.
 */
const LISTED = { minItems: 1, maxItems: 100 } as const
const UUID = '^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'

defineFormat('tag', isTag)

/** Rejects unknown members, because a misspelled one could silence more checks than intended, or silence them for longer. */
const STRICT = { additionalProperties: false } as const

export const SilenceSpec = Type.Object(
  {
    match: Type.Object(
      {
        checks: Type.Optional(
          Type.Array(Text({ pattern: UUID, means: 'the UUID of a check' }), {
            ...LISTED,
            description: 'UUIDs of checks. Omitted: any check.',
          }),
        ),
        tags: Type.Optional(
          Type.Array(Text({ format: 'tag', means: 'a tag' }), {
            ...LISTED,
            description: 'Tags, all of which a check has. Omitted: any check.',
          }),
        ),
      },
      { ...STRICT, description: 'The checks that are silenced. `{}`: all checks of the project.' },
    ),
    starts_at: Type.Optional(InstantText),
    ends_at: Type.Optional(InstantText),
    until_healthy: Type.Optional(
      Type.Boolean({
        description: 'The next success of a check ends the silence for it; after 7 days it ends anyway.',
      }),
    ),
    schedule: Type.Optional(
      Text({
        maxLength: TIMING_FIELDS.schedule.schema.maxLength,
        format: 'schedule',
        means: 'a cron or OnCalendar expression',
        description: 'Cron or OnCalendar: when each occurrence of the silence begins. It ends after `duration`.',
      }),
    ),
    tz: Type.Optional(
      Text({
        format: 'timezone',
        means: 'the IANA name of a time zone',
        description: 'IANA time zone of `schedule`; UTC if omitted.',
      }),
    ),
    duration: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: SILENCE_SECONDS_MAX,
        description: 'Seconds that each occurrence of `schedule` lasts.',
      }),
    ),
    up_to: Type.Optional(Type.Union([Type.Literal('warning'), Type.Literal('down')])),
    reason: Type.Optional(Text({ maxLength: REASON_LIMIT })),
  },
  STRICT,
)

/** A silence that was requested but not created yet. */
export type WantedSilence = SilenceTimes & Pick<Silence, 'match' | 'upTo' | 'reason'>

/** @returns the silence, or a description of the mistake without a trailing period. The caller must verify that the checks exist */
export function readSilence(body: unknown, now: Instant): WantedSilence | string {
  const [problem] = listProblems(SilenceSpec, body, 1)
  if (problem !== undefined) return problemInWords(problem)
  const asked = body as Static<typeof SilenceSpec>
  const { starts_at, ends_at, until_healthy } = asked
  const window = windowOf(asked)
  if (typeof window === 'string') return window
  const ends = { endsAt: instantOf(ends_at), untilHealthy: until_healthy ?? false }
  const times = timesOf({ startsAt: instantOf(starts_at), ...ends, window }, now)
  if (typeof times === 'string') return TIMES_FAULTS[times]
  return { ...times, ...scopeOf(asked) }
}

/** Returns a request body that would create the same silence, but without the checks that it applies to. */
export function specOf({
  startsAt,
  endsAt,
  untilHealthy,
  window,
  upTo,
  reason,
}: SilenceTimes & Pick<Silence, 'upTo' | 'reason'>) {
  return {
    match: {},
    starts_at: isoMicroseconds(startsAt),
    ends_at: endsAt && isoMicroseconds(endsAt),
    until_healthy: untilHealthy,
    ...(window && { schedule: window.schedule, tz: window.tz, duration: window.seconds }),
    up_to: upTo,
    reason,
  }
}

/** Returns the values of a silence that do not depend on its times. */
export function scopeOf({
  match,
  up_to,
  reason,
}: Pick<Static<typeof SilenceSpec>, 'match' | 'up_to' | 'reason'>): Pick<Silence, 'match' | 'upTo' | 'reason'> {
  const checks = [...new Set(match.checks?.map((id) => id.toLowerCase()))]
  const tags = [...new Set(match.tags)]
  return { match: { checks, tags }, upTo: up_to ?? 'down', reason: reason?.trim() ?? '' }
}

/** @returns the window; null for a silence without a schedule; or a description of the mistake without a trailing period */
export function windowOf({
  schedule,
  tz,
  duration,
}: Pick<Static<typeof SilenceSpec>, 'schedule' | 'tz' | 'duration'>): MaintenanceWindow | null | string {
  if (schedule === undefined) {
    const [left] = Object.entries({ tz, duration }).flatMap(([name, value]) => (value === undefined ? [] : [name]))
    return left === undefined ? null : `${left} is given without schedule`
  }
  if (duration === undefined) return 'duration is missing: say how many seconds each occurrence of schedule lasts'
  const zone = tz === undefined ? 'UTC' : (canonicalTimeZone(tz) ?? tz)
  return { schedule: writtenSchedule(schedule), tz: zone, seconds: duration }
}

function instantOf(text: string | undefined): Instant | null {
  return text === undefined ? null : Temporal.Instant.from(text)
}
