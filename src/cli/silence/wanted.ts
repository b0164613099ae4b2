/** Reads the options of `overdue silence create` and `overdue silence set`. */
import { requireSchedule } from '../../domain/schedule/typed/required-schedule.ts'
import { editSilence } from '../../domain/silence/edit.ts'
import type { Match, Silence } from '../../domain/silence/silence.ts'
import { readSilence, type WantedSilence } from '../../domain/silence/spec.ts'
import { type Instant, isoMicroseconds, later } from '../../lib/time.ts'
import type { Values } from '../command.ts'
import { readEnd, readFor, readTime } from '../read-end.ts'
import { optionError } from '../usage.ts'

const HELP = 'see `overdue silence create --help`'
const EDIT_HELP = 'see `overdue silence set --help`'

/** @throws Refusal `option-invalid`; `schedule-invalid` and `tz-invalid` with advice */
export function wantedSilence(values: Values, { checks, tags }: Match, now: Instant): WantedSilence {
  const match = { ...(checks.length === 0 ? {} : { checks }), ...(tags.length === 0 ? {} : { tags }) }
  const reason = values.reason === undefined ? {} : { reason: values.reason }
  const wanted = readSilence({ match, ...reason, ...timesOf(values, now) }, now)
  if (typeof wanted !== 'string') return wanted
  throw optionError(inOptions(wanted), HELP)
}

/** Replaces API field names in a message with option names. */
function inOptions(mistake: string): string {
  return mistake
    .replaceAll('starts_at', '--from')
    .replaceAll('ends_at', 'the end')
    .replaceAll('duration', '--for')
    .replaceAll('schedule', '--schedule')
}

function timesOf(values: Values, now: Instant): object {
  const { schedule, tz } = values
  const untilHealthy = values['until-healthy'] === true
  const startsAt = startOf(values)
  if (schedule !== undefined) return { ...startMember(startsAt), ...windowOf(values, String(schedule)) }
  if (tz !== undefined) throw optionError('--tz is the zone of --schedule, which is missing', HELP)
  const end = readEnd(values, later(now, startsAt))
  if (end === null && !untilHealthy) throw optionError('an end is missing', 'use --for, --until or --until-healthy')
  const endMember = end === null ? {} : { ends_at: isoMicroseconds(end) }
  return { until_healthy: untilHealthy, ...startMember(startsAt), ...endMember }
}

function startOf({ from }: Values): Instant | null {
  return from === undefined ? null : readTime('from', String(from))
}

function startMember(startsAt: Instant | null): object {
  return startsAt === null ? {} : { starts_at: isoMicroseconds(startsAt) }
}

function windowOf(values: Values, schedule: string): object {
  const { for: span, until, tz = 'UTC' } = values
  if (values['until-healthy'] === true) throw optionError('--schedule and --until-healthy: use only one', HELP)
  if (span === undefined) throw optionError('--schedule needs --for: how long each window lasts', HELP)
  const zone = String(tz)
  requireSchedule(schedule, zone)
  const end = until === undefined ? {} : { ends_at: isoMicroseconds(readTime('until', String(until))) }
  return { schedule, tz: zone, duration: readFor(String(span)), ...end }
}

/** Value of `--until` for windows that repeat until a user ends the silence. */
const NEVER = 'never'

/** Applies the options of `silence set` to a silence. @throws Refusal under the same conditions as {@link wantedSilence} */
export function editedSilence(silence: Silence, values: Values, now: Instant): Silence {
  const { reason } = values
  const startsAt = startOf(values)
  const times =
    silence.window === null && values.schedule === undefined
      ? endOf(values, later(now, startsAt ?? silence.startsAt))
      : repeatedOf(silence, values)
  const edited = editSilence(
    silence,
    { ...startMember(startsAt), ...times, ...(reason === undefined ? {} : { reason }) },
    now,
  )
  if (typeof edited !== 'string') return edited
  throw optionError(inOptions(edited), EDIT_HELP)
}

/** @param start time from which `--for` counts */
function endOf(values: Values, start: Instant): object {
  if (values.tz !== undefined) throw optionError('--tz is the zone of a schedule, which the silence lacks', EDIT_HELP)
  const end = readEnd(values, start)
  return end === null ? {} : { ends_at: isoMicroseconds(end) }
}

function repeatedOf({ window }: Silence, { for: span, until, schedule, tz }: Values): object {
  if (window === null && span === undefined) {
    throw optionError('--schedule needs --for: how long each window lasts', EDIT_HELP)
  }
  const text = String(schedule ?? window?.schedule)
  const zone = String(tz ?? window?.tz ?? 'UTC')
  requireSchedule(text, zone)
  const end =
    until === undefined ? undefined : until === NEVER ? null : isoMicroseconds(readTime('until', String(until)))
  const lasts = span === undefined ? {} : { duration: readFor(String(span)) }
  // If the silence did not repeat before, its old end time does not apply to the new windows.
  const endsAt = end === undefined && window === null ? null : end
  return { schedule: text, tz: zone, ...lasts, ...(endsAt === undefined ? {} : { ends_at: endsAt }) }
}
