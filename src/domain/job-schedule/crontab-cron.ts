/** Converts checks' cron expressions to ones that cron daemons (Debian's, cronie and others) understand. */
import { type CronFields, parseCron } from '../schedule/cron.ts'
import { words } from '../schedule/schedule-text.ts'

/** Maximum value of each cron field. */
const ENDS = [59, 23, 31, 12, 7]

/**
 * Returns the five fields for a crontab; null if the expression uses `L`, `LW` or `#`, which no cron daemon supports.
 * @throws ScheduleError
 */
export function crontabFields(text: string): readonly string[] | null {
  if (hasSpecialDays(parseCron(text))) return null
  return words({ text, start: 0 }).map(({ text: field }, index) => withEnds(field, ENDS[index] ?? 0))
}

/** Whether an expression uses day notations that only checks support, such as `L`, `LW`, `5L` or `5#2`. */
function hasSpecialDays({ lastDay, lastWorkday, nthWeekdays }: CronFields): boolean {
  return lastDay || lastWorkday || nthWeekdays.length > 0
}

/**
 * Adds the end of the range to a step that has a single start value: `5/15` and `5-5/15` become `5-59/15`. All programs interpret that form
 * in the same way.
 */
function withEnds(field: string, end: number): string {
  const items = field.split(',').map((item) => {
    const [, first, last = first, step] = /^(\w+)(?:-(\w+))?(\/\d+)$/.exec(item) ?? []
    return first?.toUpperCase() === last?.toUpperCase() && first !== undefined ? `${first}-${end}${step}` : item
  })
  return items.join(',')
}
