/**
 * Parses cron expressions with five fields into sets of numbers. Accepts everything that Debian's cron(8) and crontab(5) accept, plus `L`,
 * `LW`, `5L` and `MON#2`, like cronsim. `cron-patterns.ts` converts the sets to Croner patterns.
 */
import { ordered, stepped } from '../../lib/figures/number-lists.ts'
import { MONTHS, WEEKDAYS } from './cron-field.ts'
import { digits, orScheduleError, type Piece, refuse, ScheduleError, split, stepOf, words } from './schedule-text.ts'
import { looksLikeTimeZone } from './similar-time-zone.ts'

/** The nth or last occurrence of a weekday in a month; 0 is Sunday. */
export interface NthWeekday {
  readonly weekday: number
  readonly nth: number | 'last'
}

/** The numbers that an expression selects, sorted and without duplicates. */
export interface CronFields {
  readonly kind: 'cron'
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  /** Days of the month, 1 to 31. */
  readonly days: readonly number[]
  /** Whether the expression contains `L`. */
  readonly lastDay: boolean
  /** Whether the expression contains `LW`: the last day of the month from Monday to Friday. */
  readonly lastWorkday: boolean
  readonly months: readonly number[]
  /** Weekdays, 0 to 6; 0 is Sunday. */
  readonly weekdays: readonly number[]
  readonly nthWeekdays: readonly NthWeekday[]
  /** Whether a day must match both day fields, which is the case if at least one of them begins with `*` (crontab(5)). */
  readonly bothDays: boolean
  /** Whether neither the minute nor the hour begins with `*`. Debian's cron(8) treats such an expression as a fixed-time job. */
  readonly fixedTime: boolean
}

interface Field {
  readonly name: string
  readonly min: number
  readonly max: number
  /** Three-letter names for the values, starting at `min`. */
  readonly names?: readonly string[]
  /** The allowed values, for error messages. */
  readonly allowed: string
}

const longestMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const fields = {
  minute: { name: 'minute', min: 0, max: 59, allowed: '0-59' },
  hour: { name: 'hour', min: 0, max: 23, allowed: '0-23' },
  day: { name: 'day of month', min: 1, max: 31, allowed: '1-31, L (last day) or LW (last Monday-to-Friday day)' },
  month: { name: 'month', min: 1, max: 12, names: MONTHS, allowed: '1-12 or JAN-DEC' },
  // Sunday is both 0 and 7 until stars, ranges and steps are expanded. Only then does 7 become 0, so that `1/2` means 1, 3, 5 and 7.
  weekday: {
    name: 'day of week',
    min: 0,
    max: 7,
    names: WEEKDAYS,
    allowed: '0-7 or SUN-SAT, alone as 5L (last) or 5#2 (second)',
  },
} as const satisfies Record<string, Field>

/**
 * Parses an expression, which must have five words.
 * @throws ScheduleError for the first invalid part. Dates that never occur are not detected
 */
export function parseCron(text: string): CronFields {
  const whole = { text, start: 0 }
  const [minute, hour, day, month, weekday, surplus] = words(whole)
  if (!minute || !hour || !day || !month || !weekday || surplus) {
    refuse(surplus ?? whole, 'A cron expression has five fields: minute, hour, day of month, month, day of week.')
  }
  // Checks for a time zone first, because it would otherwise be parsed as a weekday with a step.
  if (looksLikeTimeZone(weekday.text)) refuse(weekday, FOUR_AND_ZONE)
  // Parses the fields in order, so that the first mistake is reported.
  const minutes = ordered(parseField(fields.minute, minute))
  const hours = ordered(parseField(fields.hour, hour))
  const days = parseDays(day)
  const months = ordered(parseField(fields.month, month))
  const weekdays = parseWeekdays(weekday)
  refuseImpossibleDays(days, months, day)
  return {
    kind: 'cron',
    minutes,
    hours,
    ...days,
    months,
    ...weekdays,
    bothDays: day.text.startsWith('*') || weekday.text.startsWith('*'),
    fixedTime: !minute.text.startsWith('*') && !hour.text.startsWith('*'),
  }
}

const FOUR_AND_ZONE = 'A cron expression has five fields, but this has four: the time zone has a field of its own.'

/** Whether {@link parseCron} accepts the text. */
export function isCron(text: string): boolean {
  return !(orScheduleError(() => parseCron(text)) instanceof ScheduleError)
}

function parseField(field: Field, piece: Piece): number[] {
  return split(piece, ',').flatMap((item) => parseItem(field, item))
}

function parseDays(piece: Piece): Pick<CronFields, 'days' | 'lastDay' | 'lastWorkday'> {
  const items = split(piece, ',')
  // `L` and `LW` can have a step. The step must be valid, but it has no effect.
  const isLast = (item: Piece) => /^LW?(\/0*[1-9][0-9]*)?$/i.test(item.text)
  const last = items.filter(isLast).map((item) => item.text.toUpperCase().split('/')[0])
  return {
    days: ordered(items.filter((item) => !isLast(item)).flatMap((item) => parseItem(fields.day, item))),
    lastDay: last.includes('L'),
    lastWorkday: last.includes('LW'),
  }
}

function parseWeekdays(piece: Piece): Pick<CronFields, 'weekdays' | 'nthWeekdays'> {
  const plain: number[] = []
  const nthWeekdays: NthWeekday[] = []
  for (const item of split(piece, ',')) {
    const nth = parseNthWeekday(item)
    if (nth) nthWeekdays.push(nth)
    else plain.push(...parseItem(fields.weekday, item).map((weekday) => weekday % 7))
  }
  return { weekdays: ordered(plain), nthWeekdays }
}

function parseNthWeekday(item: Piece): NthWeekday | null {
  const last = /^0*([0-7])L$/i.exec(item.text)
  if (last) return { weekday: Number(last[1]) % 7, nth: 'last' }
  const [day, which, surplus] = split(item, '#')
  if (!which) return null
  const nth = digits(which.text)
  if (surplus || nth === null || nth < 1 || nth > 5) {
    refuse(item, `"${item.text}" is not a weekday of the month; write 5#1 to 5#5, or 5L for the last.`)
  }
  return { weekday: parseValue(fields.weekday, day) % 7, nth }
}

function parseItem(field: Field, item: Piece): number[] {
  if (/^H(?:$|[(/])/.test(item.text)) refuse(item, hashWords(field, item))
  const [base, stepPiece, secondStep] = split(item, '/')
  if (secondStep) refuse(secondStep, `The ${field.name} "${item.text}" has two steps; one is allowed.`)
  const step = stepPiece && stepOf(stepPiece)
  if (base.text === '*') return stepped(field.min, field.max, step)
  if (base.text === '' && step) refuse(item, `The step "${item.text}" has no start; write */${step}.`)
  const [from, to, surplus] = split(base, '-')
  if (surplus) refuse(item, `The ${field.name} "${base.text}" is not a range; a range has two ends, as in 1-5.`)
  const low = parseValue(field, from)
  const high = to ? parseValue(field, to) : low
  if (low > high) refuse(item, `The range "${base.text}" runs backwards; write ${bothEnds(field, low, high)}.`)
  // A single value with a step is treated as an open-ended range, and so is `5-5`. cronsim does the same, but in Debian's cron, `5-5/2` is
  // just 5.
  return stepped(low, step && low === high ? field.max : high, step)
}

/** Explains an `H` in a cron expression. Jenkins and its plugins replace it with a different number for each job. */
function hashWords({ name }: Field, { text }: Piece): string {
  const step = /\/(\d+)$/.exec(text)?.[1]
  const instead = step === undefined ? 'its number' : `*/${step}, or choose an interval`
  return `"${text}" is for Jenkins, which chooses the ${name} itself; write ${instead}.`
}

/** Splits a range that wraps around the end of the field: `22-6` becomes `22-23,0-6`. */
function bothEnds({ min, max, name }: Field, low: number, high: number): string {
  const isWeek = name === fields.weekday.name
  if (isWeek && high === 0) return range(low, max)
  return `${range(low, isWeek ? max - 1 : max)},${range(min, high)}`
}

function range(low: number, high: number): string {
  return low === high ? `${low}` : `${low}-${high}`
}

function parseValue(field: Field, piece: Piece): number {
  const named = field.names?.indexOf(piece.text.toUpperCase()) ?? -1
  const value = named >= 0 ? field.min + named : digits(piece.text)
  if (value !== null && value >= field.min && value <= field.max) return value
  const problem =
    piece.text === '' ? `The ${field.name} is empty here` : `"${piece.text}" is not valid for the ${field.name}`
  const meant = meantValue(field, piece.text)
  refuse(piece, `${problem}; allowed: ${field.allowed}.${meant === null ? '' : ` Write ${meant}.`}`)
}

/** Returns the value that the user probably meant, such as `MON` for `Monday`, or `0` for hour 24 or minute 60. */
function meantValue({ names, min, max }: Field, text: string): string | null {
  if (min === 0 && names === undefined && digits(text) === max + 1) return '0'
  return names?.find((name) => /^[a-z]{4,}$/i.test(text) && text.toUpperCase().startsWith(name)) ?? null
}

/** Rejects days that don't exist in any of the selected months, even if the weekday alone would match. cronsim does the same. */
function refuseImpossibleDays(
  { days, lastDay, lastWorkday }: Pick<CronFields, 'days' | 'lastDay' | 'lastWorkday'>,
  monthNumbers: readonly number[],
  piece: Piece,
): void {
  const first = days[0]
  if (first === undefined || lastDay || lastWorkday) return
  const longest = Math.max(...monthNumbers.map((month) => longestMonth[month - 1] ?? 0))
  if (first > longest) refuse(piece, `None of the months has day ${first}; the longest has ${longest} days.`)
}
