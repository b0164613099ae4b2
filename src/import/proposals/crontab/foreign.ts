/** Explains lines that look like crontab lines but are written for other programs, and suggests replacements. */
import { count } from '../../../domain/duration.ts'
import { looksLikeField } from '../../../domain/schedule/cron-field.ts'
import { foreignForm } from '../../../domain/schedule/typed/foreign-forms.ts'
import { periodText } from '../../../domain/schedule/typed/period-text.ts'
import { settingInFront } from '../../../domain/schedule/typed/setting-in-front.ts'
import { type Problem, problemOf } from '../proposal.ts'
import type { CronJobLine } from './lines.ts'

const FIVE = 'Write five fields: minute, hour, day of the month, month, day of the week.'
const OWN_CHECK = 'Create a check for that time, and ping it from the job.'

/** Returns why no cron daemon would run the job at the intended times, or null if a daemon might. */
export function foreignProblem({ schedule, user, command }: CronJobLine): Problem | null {
  const [first = ''] = schedule
  if (/^@every$/i.test(first)) return everyProblem(command, user)
  if (first.startsWith('@'))
    return /^\d+$/.test(user ?? firstWord(command)) ? problemOf(ANACRON, 'Give it as a file called anacrontab.') : null
  const fields = schedule.findIndex((word) => /^[./~$]/.test(word) && !looksLikeField(word))
  if (fields === 0) return problemOf('The line begins with a path, and has no schedule.', FIVE)
  if (fields > 0) return problemOf(`The schedule has only ${count(fields, 'field')} before a path.`, FIVE)
  const behind = [...(user === null ? [] : [user]), ...command.trim().split(/[ \t]+/, 2)]
  const end = behind.findIndex((word) => !isSurplusField(word))
  const surplus = behind.slice(0, Math.min(end < 0 ? behind.length : end, 2))
  if (surplus.length > 0) {
    const advice = foreignForm([...schedule, ...surplus].join(' '))?.message
    return problemOf(SURPLUS, advice ?? FIVE)
  }
  return fieldProblem(schedule)
}

/**
 * Returns true if a word is probably a sixth schedule field, such as a weekday, a year, or part of one. Month names, `h` and `w` are
 * excluded, because users and programs may have these names.
 */
function isSurplusField(word: string): boolean {
  return /^(?:[\d*?]|LW?$|SUN|MON|TUE|WED|THU|FRI|SAT)/i.test(word) && looksLikeField(word)
}

const firstWord = (command: string) => command.trim().split(/[ \t]/, 1)[0] ?? ''

const ANACRON = 'A number follows the schedule, as in an anacrontab.'
const SURPLUS =
  'The schedule has six or seven fields: cron knows five, and reads the sixth as the beginning of the command.'

/** Explains `@every`. The word after it is a duration, in the place where cron expects the user or the command. */
function everyProblem(command: string, user: string | null): Problem {
  const span = user ?? firstWord(command)
  const period = periodText(`@every ${span}`) ?? ''
  return problemOf('No cron daemon knows "@every".', `Create a check with a period${period}, and ping it from the job.`)
}

function fieldProblem(schedule: readonly string[]): Problem | null {
  const [first = ''] = schedule
  if (/^[&%!]/.test(first)) return problemOf('The line is for fcron, whose schedules have other meanings.', OWN_CHECK)
  if (schedule.some((field) => /(?:^|,)H(?:$|[/(,])/.test(field)))
    return problemOf('"H" is for Jenkins, which puts a number there.', 'Write a number in its place.')
  if (schedule.includes('?'))
    return problemOf(
      '"?" is for Quartz, and no cron daemon accepts it.',
      foreignForm(schedule.join(' '))?.message ?? FIVE,
    )
  if (schedule.some((field) => /\d[LW]\b|(?:^|,)LW?(?:$|[-,])|#/i.test(field)))
    return problemOf('"L", "W" and "#" are for Quartz, and no cron daemon accepts them.', OWN_CHECK)
  return null
}

/** Explains a line that is neither a setting nor a job. @param parts the parts that a job line has, for the message */
export function unknownLine(line: string, parts: string): Problem {
  if (/^\s*(?:export|set|setenv)\s/.test(line))
    return problemOf('The line is a shell command, which cron does not accept.', 'Write a setting as NAME=value.')
  return problemOf(`The line is neither a setting nor a job: a job has ${parts}.`)
}

/**
 * Returns the problem with a line that was intended as a job but that cron reads as a setting, such as `MAILTO=ops 0 5 * * * job`. Returns
 * null if the line is meant as a setting.
 */
export function settingProblem(line: string): Problem | null {
  const found = settingInFront({ text: line.trim(), start: 0 })
  if (found === null || found.schedule === null || found.behind === '') return null
  const { zone } = found
  if (zone === null)
    return problemOf(
      'A setting precedes the schedule, so cron does not read the line as a job.',
      'Write the setting in a line of its own above it.',
    )
  const example = /^[\w+/-]{1,60}$/.test(zone) ? `: \`CRON_TZ=${zone}\`` : ''
  return problemOf(
    'A time zone precedes the schedule, so cron does not read the line as a job.',
    `Write the time zone in a line of its own above it${example}.`,
  )
}
