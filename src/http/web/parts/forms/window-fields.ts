/**
 * Fields for a window that is repeated: when it begins, when it ends, and its time zone. While a person types, the script requests what they
 * mean.
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
  from: html`A time such as <code>22:00</code>, with days such as <code>Mon..Fri 22:00</code>, or cron.`,
  until: html`A time such as <code>7:00</code>, or how long, such as <code>9 h</code>.`,
  tz: html`The zone of these times, such as Europe/Riga.`,
}

/** The fields of a form. The page has a `zoneList`. */
interface WindowForm {
  /** prefix of the names of the fields: `quiet-` for `quiet-from` */
  readonly prefix: string
  readonly typed: TypedWindow
  readonly errors: FieldErrors
}

/** Returns the names of the fields, in order. */
export function windowFieldNames(prefix: string): readonly string[] {
  return FIELDS.map((name) => prefix + name)
}

export function readWindowFields(form: Form, prefix: string): TypedWindow {
  const [from = '', until = '', tz = ''] = windowFieldNames(prefix).map((name) => form.text(name))
  return { from, until, tz }
}

/** Returns mistakes by the names of the fields. */
export function windowErrors(prefix: string, mistakes: WindowMistakes): FieldErrors {
  return Object.fromEntries(Object.entries(mistakes).map(([name, mistake]) => [prefix + name, sentence(mistake)]))
}

/** @param focus name of the field that gets the focus; null for none */
export function windowFields(shown: WindowForm, focus: string | null): Html {
  const field = (name: FieldName) => {
    const below = belowField(shown, name)
    return { ...below, label: LABELS[name], value: shown.typed[name], isCode: true, hasFocus: focus === below.name }
  }
  const from = field('from')
  // A field of one line would join the lines of a stored schedule.
  const first = from.value.includes('\n') ? areaField({ ...from, rows: 2 }) : textField(from)
  return html`<div class="two">${first}${textField(field('until'))}</div>${textField({ ...field('tz'), list: ZONE_LIST })}`
}

/** Renders the parts below each field, for the script. */
export function belowWindowFields(shown: WindowForm): readonly Html[] {
  return FIELDS.map((name) => belowHtml(belowField(shown, name)))
}

/** Returns the selectors of {@link belowWindowFields}. */
export function belowWindowSelectors(prefix: string): readonly string[] {
  return windowFieldNames(prefix).map((name) => `#${name}-below`)
}

function belowField({ prefix, errors }: WindowForm, name: FieldName): Omit<Field, 'label'> {
  return { name: prefix + name, error: errors[prefix + name], help: HELPS[name], isLive: true }
}

/** Returns `Sat 28 Nov, 22:00 to 24:00`, `Sat 28 Nov, 22:00 to Sun 29 Nov, 07:00`. */
export function occurrenceWords({ startsAt, endsAt }: Occurrence, { now, tz }: Zone): Html {
  const clock = createClock(now, tz)
  return html`${timeTag(startsAt, clock.weekdayTime(startsAt), tz)} to ${timeTag(endsAt, endWords({ startsAt, endsAt }, clock), tz)}`
}

/** Returns the time of an end, with its day if that is another one. The midnight after the first day is its 24:00. */
export function endWords({ startsAt, endsAt }: Occurrence, { day, time, weekdayTime }: Clock): string {
  if (day(startsAt) === day(endsAt)) return time(endsAt)
  const isMidnight = time(endsAt) === '00:00' && day(startsAt) === day(addSeconds(endsAt, -60))
  return isMidnight ? '24:00' : weekdayTime(endsAt)
}
