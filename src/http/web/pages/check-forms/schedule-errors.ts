/** What is wrong with a schedule or a time zone, and what was probably meant. */
import { parseSchedule, ScheduleError, scheduleKind } from '../../../../domain/schedule/schedule.ts'
import { legacyTimeZones, timeZones } from '../../../../domain/schedule/time-zones.ts'
import { codePoints } from '../../../../domain/schema.ts'
import { suggest } from '../../../../lib/suggest.ts'
import type { ScheduleValues } from '../../parts/schedule-fields.ts'
import { counted, shown } from '../../parts/text.ts'

const LIMIT = 100

/** Null when nothing is wrong with the expression of the chosen kind. */
export function scheduleError(values: ScheduleValues): string | null {
  if (values.kind === 'simple') return null
  const text = values[values.kind]
  if (text === '') return EMPTY[values.kind]
  if (codePoints(text) > LIMIT) return `That is too long: at most ${LIMIT} characters.`
  return kindError(values.kind, text) ?? grammarError(text)
}

const EMPTY = {
  cron: 'Write an expression, such as 0 2 * * 1-5 for 02:00 on weekdays.',
  oncalendar: 'Write an expression, such as Mon..Fri 02:00 for 02:00 on weekdays.',
} as const

/** The number of words alone decides how a check reads an expression. */
function kindError(kind: 'cron' | 'oncalendar', text: string): string | null {
  if (scheduleKind(text) === kind) return null
  const fields = text.split(/\s+/).length
  return kind === 'cron'
    ? `‘${shown(text)}’ has ${counted(fields, 'field', 'fields')}, cron needs 5.`
    : `‘${shown(text)}’ has 5 words, so it would be read as cron. Choose Cron, or write fewer words.`
}

function grammarError(text: string): string | null {
  try {
    parseSchedule(text, 'UTC')
    return null
  } catch (error) {
    if (error instanceof ScheduleError) return error.message
    throw error
  }
}

export function zoneError(name: string): string {
  if (name === '') return 'Write a time zone, such as Europe/Riga or UTC.'
  const meant = suggest(name, [...timeZones, ...legacyTimeZones.keys()])
  return `${shown(name)} is no time zone.${meant === null ? '' : ` ${meant}?`}`
}
