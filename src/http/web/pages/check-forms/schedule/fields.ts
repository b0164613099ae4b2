/**
 * The fields for a check's schedule: a period, a cron expression or an OnCalendar expression, and the grace time. The style sheet hides the
 * fields for the other kinds. The form still submits them, so that users don't lose what they typed when they switch kinds. While the user
 * types, the script requests an explanation of the fields (see `preview.ts`).
 */
import { CHECK_KINDS, type CheckKind } from '../../../../../domain/check/fields.ts'
import { canonicalTimeZone } from '../../../../../domain/schedule/time-zones.ts'
import { writtenSchedule } from '../../../../../domain/schedule/typed/typed-schedule.ts'
import type { Instant } from '../../../../../lib/time.ts'
import { durationWords, knownZone } from '../../../../../lib/time-words.ts'
import { type Html, html } from '../../../html.ts'
import { submit } from '../../../parts/forms/buttons.ts'
import { areaField, belowHtml, type Field, type FieldErrors, textField } from '../../../parts/forms/fields.ts'
import { ZONE_LIST, zoneList } from '../../../parts/forms/zone-list.ts'
import { createClock } from '../../../parts/words/clock.ts'
import { bdi } from '../../../parts/words/text.ts'
import { caret, scheduleMistake } from '../schedule-mistake.ts'
import { PREVIEW, type ScheduleValues } from '../schedule-values.ts'
import { spanField } from '../span-field.ts'

/** Field names, in display order. */
export const SCHEDULE_FIELDS = ['period', 'cron', 'oncalendar', 'tz', 'grace'] as const
type FieldName = (typeof SCHEDULE_FIELDS)[number]

export const SCHEDULE_LABELS: Readonly<Record<FieldName, string>> = {
  period: 'Interval',
  cron: 'Cron expression',
  oncalendar: 'OnCalendar expressions',
  tz: 'Time zone',
  grace: 'Grace time',
}

const KIND_WORDS: Readonly<Record<CheckKind, string>> = {
  simple: 'Interval',
  cron: 'Cron',
  oncalendar: 'systemd OnCalendar',
}

export interface TypedSchedule {
  readonly values: ScheduleValues
  readonly errors: FieldErrors
  readonly now: Instant
  /** duration of the longest recent run, in microseconds; null if unknown */
  readonly longestRun: number | null
}

/** The path for requesting previews, and the elements that the script updates with them. */
interface PreviewTarget {
  /** path to post the form to, including the SITE_ROOT path prefix */
  readonly path: string
  /** selectors of the elements to update, in addition to the elements below the fields */
  readonly into: readonly string[]
}

/** @param focus name of the field to focus; null for none */
export function scheduleFields(typed: TypedSchedule, focus: string | null, { path, into }: PreviewTarget): Html {
  const { values } = typed
  const kinds = CHECK_KINDS.map(
    (kind) =>
      html`<label><input type="radio" name="kind" value="${kind}"${kind === values.kind && html` checked`}>${KIND_WORDS[kind]}</label>`,
  )
  const field = (name: FieldName) => ({
    ...belowField(typed, name),
    label: SCHEDULE_LABELS[name],
    hasFocus: focus === name,
  })
  const places = [...into, ...SCHEDULE_FIELDS.map((name) => `#${name}-below`)]
  return html`<div class="form schedule" data-preview="${path}" data-preview-into="${places.join()}"><fieldset class="field"><legend>Schedule</legend><div class="seg">${kinds}</div></fieldset>
<div class="of-simple">${spanField({ ...field('period'), value: values.period })}</div>
<div class="of-cron">${textField({ ...field('cron'), value: values.cron, isCode: true })}</div>
<div class="of-oncalendar">${areaField({ ...field('oncalendar'), value: values.oncalendar, rows: 2, isCode: true })}</div>
<div class="of-cron of-oncalendar">${textField({ ...field('tz'), value: values.tz, list: ZONE_LIST })}${zoneList()}</div>
${spanField({ ...field('grace'), value: values.grace })}</div>`
}

/** Renders the content below each field, for the script. */
export function belowScheduleFields(typed: TypedSchedule): readonly Html[] {
  return SCHEDULE_FIELDS.map((name) => belowHtml(belowField(typed, name)))
}

function belowField(typed: TypedSchedule, name: FieldName): Omit<Field, 'label'> {
  const { values, errors } = typed
  const reading = name === 'cron' || name === 'oncalendar' ? readingOf(name, values, errors) : null
  return { name, error: errors[name], help: HELPS[name](typed), isLive: true, reading }
}

/** Renders the parts of an expression. If the expression has a mistake, marks its position instead. */
function readingOf(name: 'cron' | 'oncalendar', values: ScheduleValues, errors: FieldErrors): Html {
  const place = errors[name] !== undefined && name === values.kind ? scheduleMistake(values)?.place : null
  if (place) return caret(values[name], place)
  return name === 'cron' ? fiveFields(writtenSchedule(values.cron)) : TWO_EXAMPLES
}

const FIVE = ['minute', 'hour', 'day', 'month', 'weekday'] as const

function fiveFields(text: string): Html {
  const words = text.split(/\s+/)
  return html`<div class="five" aria-hidden="true">${FIVE.map((name, index) => html`<span><b>${words[index] || '–'}</b>${name}</span>`)}</div>`
}

/**
 * Two examples of OnCalendar expressions. They are shown in place of the five cron fields, because an OnCalendar expression has no fixed
 * fields.
 */
const TWO_EXAMPLES = html`<div class="five two" aria-hidden="true"><span><b>*:0/15</b>every 15 minutes</span><span><b>*-*-01 06:30</b>1st of the month</span></div>`

/**
 * Offers to fill in the fields from a crontab line. If the user pasted the line, the script clicks the button. Without JavaScript, the
 * server fills in the fields.
 */
function pastedHelp({ schedule, name }: NonNullable<ScheduleValues['pasted']>): Html {
  const fill = JSON.stringify({ cron: schedule, ...(name === null ? {} : { name }) })
  const named = name !== null && html` and the name <b>${bdi(name)}</b>`
  return html`This is a crontab line with the schedule <code>${schedule}</code>${named}. ${submit({ text: 'Fill in', label: 'Fill in the values from the crontab line', isSmall: true, field: PREVIEW, fill })}`
}

const HELPS: Readonly<Record<FieldName, (typed: TypedSchedule) => Html | string>> = {
  period: () => 'How often the job runs.',
  cron: ({ values: { pasted } }) =>
    pasted !== null
      ? pastedHelp(pasted)
      : html`Five fields, as in crontab, a shortcut such as <code>@daily</code>, or an entire crontab line. <code>0 2 * * 1-5</code> is 02:00 on weekdays. <code>L</code>, <code>LW</code>, <code>5L</code> and <code>MON#2</code> work, too.`,
  oncalendar: () => html`As in systemd timers, one per line: <code>Mon..Fri 02:00</code> is 02:00 on weekdays.`,
  tz: ({ values, now }) => `Time zone of the machine that runs the job${clockThere(values.tz, now)}.`,
  grace: ({ longestRun }) =>
    `How late a ping may be before alerts are sent. A run that takes longer than this also counts as late${longestWords(longestRun)}.`,
}

function clockThere(typed: string, now: Instant): string {
  const zone = canonicalTimeZone(typed)
  if (zone === null || knownZone(zone) === undefined) return ', such as Europe/Riga'
  return `, where it is ${createClock(now, zone).time(now)}`
}

/**
 * Returns the longest duration rounded to its largest unit. Recorded durations are accurate to within ten percent, so smaller units would
 * be misleading.
 */
function longestWords(microseconds: number | null): string {
  if (microseconds === null) return ''
  const [amount, unit] = durationWords(microseconds / 1_000_000).split(' ')
  return `; the longest recent run took about ${amount} ${unit}`
}
