/** Converts the schedules of cron daemons to check schedules. */
import { looksLikeField } from '../../../domain/schedule/cron-field.ts'
import { cronWord } from '../../../domain/schedule/typed/cron-words.ts'
import type { ProposedTiming } from '../proposal.ts'

/** A schedule, or a sentence that says why it cannot be converted. */
export type ReadSchedule =
  | {
      readonly timing: { readonly timeout: number } | { readonly schedule: string }
      /** maximum delay, in seconds, with which the daemon starts the job */
      readonly delaySeconds: number
      readonly why: readonly string[]
    }
  | { readonly problem: string }

/**
 * Reads words such as `@daily`, which daemons accept only in lower case. FreeBSD also accepts `@every_minute`, and `@300` for every 300
 * seconds.
 */
export function readScheduleWord(word: string): ReadSchedule {
  const lower = word.toLowerCase()
  if (lower === '@reboot') return { problem: 'The job runs when the machine starts, so it has no expected time.' }
  const schedule = cronWord(lower)
  if (schedule !== null && word !== lower)
    return { problem: `cron accepts this word only in lower case, and rejects the line; write "${lower}".` }
  if (schedule !== null) return { timing: { schedule }, delaySeconds: 0, why: [`${lower} is written out`] }
  const seconds = /^@(\d{1,9})$/.exec(lower)?.[1]
  if (seconds !== undefined) return { timing: { timeout: Number(seconds) }, delaySeconds: 0, why: [] }
  return { problem: 'No known cron daemon understands this schedule.' }
}

interface Range {
  readonly low: number
  readonly high: number
  /** length of one unit of the field, in seconds */
  readonly unit: number
}

const DAY = 86_400
const RANGES: readonly Range[] = [
  { low: 0, high: 59, unit: 60 },
  { low: 0, high: 23, unit: 3_600 },
  { low: 1, high: 28, unit: DAY },
  { low: 1, high: 12, unit: 31 * DAY },
  { low: 0, high: 6, unit: DAY },
]

/**
 * Reads the five fields. cronie and OpenBSD use `~` for a random value. A random value is converted to the first possible value and a
 * delay. @param fields the five fields
 */
export function readFields(fields: readonly string[]): ReadSchedule {
  const written: string[] = []
  let delaySeconds = 0
  for (const [index, field] of fields.entries()) {
    const read = readField(field, RANGES[index] as Range)
    if (read === null) return { problem: `The random value "${field}" cannot be read.` }
    written.push(read.field)
    delaySeconds += read.delaySeconds
  }
  const why = delaySeconds > 0 ? ['the random value of "~" is read as its first value'] : []
  return { timing: { schedule: written.join(' ') }, delaySeconds, why: [...why, ...fields.flatMap(longStep)] }
}

const SPANS = [
  ['hour', 'an hour', 60],
  ['day', 'a day', 24],
  ['month', 'a month', 31],
  ['year', 'a year', 12],
  ['week', 'a week', 7],
] as const

/** Explains a step that is longer than the range of its field. Daemons accept such a step, but it does not do what it seems to. */
function longStep(field: string, index: number): readonly string[] {
  const [span, once, values] = SPANS[index] ?? ['', '', 0]
  const step = /^(?:\*|\d{1,2})\/(\d{1,9})$/.exec(field)?.[1]
  if (step === undefined || Number(step) <= values) return []
  return [`steps start again every ${span}, so "${field}" is once ${once}`]
}

function readField(field: string, { low, high, unit }: Range): { field: string; delaySeconds: number } | null {
  // Other words may come from a command, so they are not quoted.
  if (!field.includes('~') || !looksLikeField(field)) return { field, delaySeconds: 0 }
  const [, first, last] = /^(\d{0,2})~(\d{0,2})$/.exec(field) ?? []
  if (first === undefined || last === undefined) return null
  const [from, to] = [first === '' ? low : Number(first), last === '' ? high : Number(last)]
  return from > to ? null : { field: String(from), delaySeconds: (to - from) * unit }
}

/** Adds a time zone to a schedule, but not to a period. */
export function inZone(
  timing: { readonly timeout: number } | { readonly schedule: string },
  tz: string,
): ProposedTiming {
  return 'timeout' in timing ? timing : { ...timing, tz }
}
