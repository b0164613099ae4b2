/** The form fields for changing several checks at once. A field that is left empty leaves its setting unchanged. */
import type { Channel } from '../../../../domain/channel/channel.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { common, type FieldErrors, firstBad, labelled } from '../../parts/forms/fields.ts'
import { integrationSwitches } from '../../parts/forms/integration-switches.ts'
import { ZONE_LIST, zoneList } from '../../parts/forms/zone-list.ts'
import { stateShape } from '../../parts/words/states.ts'
import { UNIT_NAMES, unitName } from '../check-forms/span-field.ts'
import { FIELD_NAMES, type FieldName, type SettingsValues } from './values.ts'

export interface TypedSettings {
  readonly values: SettingsValues
  readonly errors: FieldErrors
}

export function settingsFields(typed: TypedSettings, channels: readonly Channel[]): Html {
  const { values } = typed
  const { methods, alerts, direction } = values
  const radio = picker(typed)
  const answer = lines(typed)
  return html`${question('Schedule', [
    answer('move', 'Move all by', values.move, 'tiny', [
      html`<span>min</span><select name="direction" aria-label="Direction">${options(['later', 'earlier'], direction)}</select>`,
    ]),
    answer('expression', 'Set all to', values.expression, 'mono'),
    html`<p class="help" id="expression-help">An interval such as <code>10 minutes</code>, cron such as <code>0 2 * * 1-5</code>, or OnCalendar such as <code>Mon..Fri 02:00</code>. If both fields are empty, schedules stay as they are.</p>`,
  ])}
${question('Grace', [
  answer('span', 'Set to', values.span.amount, 'tiny', [
    html`<select name="${unitName('span')}" aria-label="Unit of: Grace time">${options(UNIT_NAMES, values.span.unit)}</select>`,
  ]),
  html`<p class="help" id="span-help">From 1 minute to 365 days. If empty, grace times stay as they are.</p>`,
])}
${question('Time zone', [
  answer('tz', 'Set to', values.tz, 'zone'),
  html`<p class="help" id="tz-help">If empty, time zones stay as they are.</p>`,
  zoneList(),
])}
${question('Accepted HTTP methods', [
  radio('methods', 'keep', methods, 'Leave as they are'),
  radio('methods', 'any', methods, 'Any'),
  radio('methods', 'POST', methods, 'POST only'),
])}
${
  channels.length > 0 &&
  question('Alerts', [
    radio('alerts', 'keep', alerts, 'Leave as they are'),
    radio('alerts', 'set', alerts, 'Send all to'),
    html`<div class="picks">${integrationSwitches(channels, values.channels)}</div>`,
  ])
}
<div class="two">${tagField(typed, 'add-tags', 'Add tags', values.addTags)}${tagField(typed, 'remove-tags', 'Remove tags', values.removeTags)}</div>`
}

function question(legend: string, answers: readonly HtmlValue[]): Html {
  return html`<fieldset class="field"><legend>${legend}</legend>${answers}</fieldset>`
}

/** Renders an option with a radio button. */
function picker({ errors }: TypedSettings) {
  return (name: 'methods' | 'alerts', value: string, chosen: string, words: string): Html => {
    const isLast = name === 'alerts' && value === 'set'
    const error = isLast ? errors.alerts : undefined
    const bad = error !== undefined && html` aria-invalid="true" aria-describedby="alerts-error"`
    return html`<div class="answer"><label class="pick"><input type="radio" name="${name}" value="${value}"${value === chosen && html` checked`}${bad}>${words}</label></div>${error !== undefined && errorLine('alerts', error)}`
  }
}

const NUMBERS: ReadonlySet<FieldName> = new Set(['move', 'span'])
const HELPED: ReadonlySet<FieldName> = new Set(['expression', 'span', 'tz'])

/** Renders a text field and the rest of its line. Its error message is below the line. */
function lines({ errors }: TypedSettings) {
  return (name: FieldName, label: string, value: string, look: string, more: readonly Html[] = []): Html => {
    const error = errors[name]
    const hasFocus = firstBad(FIELD_NAMES, errors) === name
    const field = { name, error, hasFocus, ...(HELPED.has(name) ? { help: label } : {}) }
    return html`<div class="answer"><label for="${name}">${label}</label><input class="in ${look}" id="${name}" name="${name}" value="${value}" inputmode="${NUMBERS.has(name) ? 'numeric' : 'text'}" autocomplete="off" autocapitalize="none" spellcheck="false"${name === 'tz' && html` list="${ZONE_LIST}"`}${common(field)}>${more}</div>${error !== undefined && errorLine(name, error)}`
  }
}

function errorLine(name: FieldName, words: string): Html {
  return html`<p class="err" id="${name}-error">${stateShape('down')}<span>${words}</span></p>`
}

function tagField({ errors }: TypedSettings, name: FieldName, label: string, value: string): Html {
  const field = {
    name,
    label,
    error: errors[name],
    help: 'Separated by spaces.',
    hasFocus: firstBad(FIELD_NAMES, errors) === name,
  }
  return labelled(
    field,
    html`<input class="in" id="${name}" name="${name}" value="${value}" autocomplete="off" autocapitalize="none" spellcheck="false"${common(field)}>`,
  )
}

function options(names: readonly string[], chosen: string): readonly Html[] {
  return names.map((name) => html`<option value="${name}"${name === chosen && html` selected`}>${name}</option>`)
}
