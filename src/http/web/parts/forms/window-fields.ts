/**
 * Fields for a recurring window: when it starts, when it ends, and its time zone. While the user types, the script asks the server how it
 * interprets the fields.
 */
import type { Occurrence } from '../../../../domain/silence/maintenance-window.ts'
import type { TypedWindow, WindowMistakes } from '../../../../domain/silence/typed-window.ts'
import { addSeconds } from '../../../../lib/time.ts'
import type { Form } from '../../form.ts'
import { type Html, html } from '../../html.ts'
import { type Clock, createClock, timeTag } from '../words/clock.ts'
import type { Zone } from '../words/sentence.ts'
import { sentence } from '../words/text.ts'
import { areaField, belowHtml, type Field, type FieldErrors, textField } from './fields.ts'
import { ZONE_LIST } from './zone-list.ts'

const FIELDS = ['from', 'until', 'tz'] as const
type FieldName = (typeof FIELDS)[number]

const LABELS: Readonly<Record<FieldName, string>> = { from: 'From', until: 'Until', tz: 'Time zone' }

const HELPS: Readonly<Record<FieldName, Html>> = {
  from: html`A time such as <code>22:00</code>, days and a time such as <code>Mon..Fri 22:00</code>, or a cron expression.`,
  until: html`A time such as <code>7:00</code>, or a duration such as <code>9 h</code>.`,
  tz: html`Time zone of these times, such as Europe/Riga.`,
}

/** The window's fields in a form. The page has to contain a `zoneList`. */
interface WindowForm {
  /** prefix for the field names; with `quiet-`, a field is called `quiet-from` */
  readonly prefix: string
  readonly typed: TypedWindow
  readonly errors: FieldErrors
}

/** Returns the field names, in display order. */
export function windowFieldNames(prefix: string): readonly string[] {
  return FIELDS.map((name) => prefix + name)
}

export function readWindowFields(form: Form, prefix: string): TypedWindow {
  const [from = '', until = '', tz = ''] = windowFieldNames(prefix).map((name) => form.text(name))
  return { from, until, tz }
}

/** Returns the error messages by field name. */
export function windowErrors(prefix: string, mistakes: WindowMistakes): FieldErrors {
  return Object.fromEntries(Object.entries(mistakes).map(([name, mistake]) => [prefix + name, sentence(mistake)]))
}

/** @param focus name of the field to focus; null for none */
export function windowFields(shown: WindowForm, focus: string | null): Html {
  const field = (name: FieldName) => {
    const below = belowField(shown, name)
    return { ...below, label: LABELS[name], value: shown.typed[name], isCode: true, hasFocus: focus === below.name }
  }
  const from = field('from')
  // A single-line field would join a stored schedule's lines.
  const first = from.value.includes('\n') ? areaField({ ...from, rows: 2 }) : textField(from)
  return html`<div class="two">${first}${textField(field('until'))}</div>${textField({ ...field('tz'), list: ZONE_LIST })}`
}

/** Renders the content below each field, for the script. */
export function belowWindowFields(shown: WindowForm): readonly Html[] {
  return FIELDS.map((name) => belowHtml(belowField(shown, name)))
}

/** Returns the selectors of the elements in {@link belowWindowFields}. */
export function belowWindowSelectors(prefix: string): readonly string[] {
  return windowFieldNames(prefix).map((name) => `#${name}-below`)
}

function belowField({ prefix, errors }: WindowForm, name: FieldName): Omit<Field, 'label'> {
  return { name: prefix + name, error: errors[prefix + name], help: HELPS[name], isLive: true }
}

/** Returns text such as `Sat 28 Nov, 22:00 to 24:00` or `Sat 28 Nov, 22:00 to Sun 29 Nov, 07:00`. */
export function occurrenceWords({ startsAt, endsAt }: Occurrence, { now, tz }: Zone): Html {
  const clock = createClock(now, tz)
  return html`${timeTag(startsAt, clock.weekdayTime(startsAt), tz)} to ${timeTag(endsAt, endWords({ startsAt, endsAt }, clock), tz)}`
}

/**
 * Returns an end time as text. If the end is on another day, the text contains the day. Midnight at the end of the first day is written as
 * 24:00.
 */
export function endWords({ startsAt, endsAt }: Occurrence, { day, time, weekdayTime }: Clock): string {
  if (day(startsAt) === day(endsAt)) return time(endsAt)
  const isMidnight = time(endsAt) === '00:00' && day(startsAt) === day(addSeconds(endsAt, -60))
  return isMidnight ? '24:00' : weekdayTime(endsAt)
}
