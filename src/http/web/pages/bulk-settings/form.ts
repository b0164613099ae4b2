/** Fields of a change of several checks. Each question can be answered with "as it is". */
import type { Channel } from '../../../../domain/channel/channel.ts'
import { timeZones } from '../../../../domain/schedule/time-zones.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { common, type FieldErrors, firstBad, labelled } from '../../parts/forms/fields.ts'
import { integrationSwitches } from '../../parts/forms/integration-switches.ts'
import { stateShape } from '../../parts/words/states.ts'
import { UNIT_NAMES, unitName } from '../check-forms/span-field.ts'
import { FIELD_NAMES, type FieldName, type SettingsValues } from './values.ts'

export interface TypedSettings {
  readonly values: SettingsValues
  readonly errors: FieldErrors
}

export function settingsFields(typed: TypedSettings, channels: readonly Channel[]): Html {
  const { values } = typed
  const { schedule, grace, zone, methods, alerts, direction } = values
  const radio = picker(typed)
  return html`${question('Schedule', [
    radio('schedule', 'keep', schedule, 'Leave as it is, in each'),
    radio('schedule', 'move', schedule, 'Move all by', [
      box(typed, 'move', 'Minutes', values.move, 'tiny', 'numeric'),
      html`<span>min</span><select name="direction" aria-label="Direction">${options(['later', 'earlier'], direction)}</select>`,
    ]),
    radio('schedule', 'set', schedule, 'Set all to', [box(typed, 'expression', 'Schedule', values.expression, 'mono')]),
    html`<p class="help" id="expression-help">An interval such as <code>10 minutes</code>, cron such as <code>0 2 * * 1-5</code>, or OnCalendar such as <code>Mon..Fri 02:00</code>.</p>`,
  ])}
${question('Grace', [
  radio('grace', 'keep', grace, 'Leave as it is'),
  radio('grace', 'set', grace, 'Set to', [
    box(typed, 'span', 'Grace time', values.span.amount, 'tiny', 'numeric'),
    html`<select name="${unitName('span')}" aria-label="Unit of: Grace time">${options(UNIT_NAMES, values.span.unit)}</select>`,
  ]),
  html`<p class="help" id="span-help">From 1 minute to 365 days.</p>`,
])}
${question('Time zone', [
  radio('zone', 'keep', zone, 'Leave as it is'),
  radio('zone', 'set', zone, 'Set to', [box(typed, 'tz', 'Time zone', values.tz, 'zone')]),
  html`<datalist id="zones">${timeZones.map((name) => html`<option value="${name}"></option>`)}</datalist>`,
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

/** An answer, and what it asks for in the same line; an error of that stands below. */
function picker({ errors }: TypedSettings) {
  return (name: string, value: string, chosen: string, words: string, more: readonly Html[] = []): Html => {
    const input = html`<input type="radio" name="${name}" value="${value}"${value === chosen && html` checked`}>`
    const bad = FIELD_NAMES.find((field) => FIELD_OF[`${name} ${value}`] === field && errors[field] !== undefined)
    return html`<div class="answer"><label class="pick">${input}${words}</label>${more}</div>${bad && errorLine(bad, errors[bad] ?? '')}`
  }
}

/** The field beside an answer. */
const FIELD_OF: Readonly<Record<string, FieldName>> = {
  'schedule move': 'move',
  'schedule set': 'expression',
  'grace set': 'span',
  'zone set': 'tz',
}

function errorLine(name: FieldName, words: string): Html {
  return html`<p class="err" id="${name}-error">${stateShape('down')}<span>${words}</span></p>`
}

const HELPED: ReadonlySet<FieldName> = new Set(['expression', 'span'])

function box(
  { errors }: TypedSettings,
  name: FieldName,
  label: string,
  value: string,
  look: string,
  inputMode: 'numeric' | 'text' = 'text',
): Html {
  const field = {
    name,
    error: errors[name],
    hasFocus: firstBad(FIELD_NAMES, errors) === name,
    ...(HELPED.has(name) ? { help: label } : {}),
  }
  return html`<input class="in ${look}" id="${name}" name="${name}" aria-label="${label}" value="${value}" inputmode="${inputMode}" autocomplete="off" autocapitalize="none" spellcheck="false"${name === 'tz' && html` list="zones"`}${common(field)}>`
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
