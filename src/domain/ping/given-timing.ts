/**
 * Parses the timing parameters `schedule`, `tz` and `grace` in a ping URL with `create=1`. They apply to the check that the ping creates.
 */
import type { Check } from '../check/check.ts'
import { SPAN, TIMING_FIELDS } from '../check/fields.ts'
import { scheduleKind } from '../schedule/schedule.ts'
import { canonicalTimeZone } from '../schedule/time-zones.ts'
import { periodSeconds } from '../schedule/typed/period-text.ts'
import { scheduleError, writtenSchedule } from '../schedule/typed/typed-schedule.ts'

export type GivenTiming = Partial<Pick<Check, 'kind' | 'timeoutSeconds' | 'schedule' | 'tz' | 'graceSeconds'>>

/** The parameters in the ping URL; null if missing. */
export interface TimingTexts {
  readonly schedule: string | null
  readonly tz: string | null
  readonly grace: string | null
}

/**
 * Returns the settings that differ from those of a new check. If a value is invalid, returns a sentence that names the value and says what
 * to write instead.
 */
export function readGivenTiming({ schedule, tz, grace }: TimingTexts): GivenTiming | string {
  const zone = tz === null ? null : canonicalTimeZone(tz)
  if (tz !== null && zone === null) return 'tz is not a time zone: use a name such as Europe/Riga'
  const rhythm = schedule === null ? {} : readRhythm(schedule)
  if (typeof rhythm === 'string') return rhythm
  const graceSeconds = grace === null ? null : readSeconds(grace)
  if (grace !== null && !isSpan(graceSeconds)) return `grace ${SPAN_WORDS}`
  return { ...rhythm, ...(zone === null ? {} : { tz: zone }), ...(graceSeconds === null ? {} : { graceSeconds }) }
}

const SPAN_WORDS = `is not a span from ${SPAN.minimum} to ${SPAN.maximum} seconds: write seconds, such as 3600, or a span, such as 1h`
const SCHEDULE_LIMIT = TIMING_FIELDS.schedule.schema.maxLength ?? 0

function readRhythm(text: string): GivenTiming | string {
  if (text.length > SCHEDULE_LIMIT) return `schedule is too long: use at most ${SCHEDULE_LIMIT} characters`
  const timeoutSeconds = readSeconds(text)
  if (timeoutSeconds !== null) return isSpan(timeoutSeconds) ? { timeoutSeconds } : `schedule ${SPAN_WORDS}`
  const error = scheduleError(text)
  if (error !== null) return `schedule is neither a span, a cron nor an OnCalendar expression: ${error.message}`
  const schedule = writtenSchedule(text)
  return { kind: scheduleKind(schedule), schedule }
}

function readSeconds(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : periodSeconds(text)
}

function isSpan(seconds: number | null): seconds is number {
  return seconds !== null && Number.isInteger(seconds) && seconds >= SPAN.minimum && seconds <= SPAN.maximum
}
