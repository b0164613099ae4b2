/** The fields for a check's ping rules: the keywords, where to search for them, and how to count pings that contain none of them. */
import {
  type CheckSettings,
  type Members,
  membersOf,
  RULE_FIELDS,
  writtenFields,
} from '../../../../../domain/check/fields.ts'
import type { Form } from '../../../form.ts'
import { type Html, type HtmlValue, html } from '../../../html.ts'
import { type FieldErrors, textField } from '../../../parts/forms/fields.ts'

/** The values that the user typed into the form. They have the same names as in the API. */
export type RulesValues = Members<typeof RULES>

const RULES = writtenFields(RULE_FIELDS)

interface Input<Value> {
  readonly label: string
  read(form: Form, name: string): Value
  show(value: Value, field: { name: string; error: string | undefined; hasFocus: boolean }): Html
}

const place = (label: string): Input<boolean> => ({
  label,
  read: (form, name) => form.has(name),
  show: (isOn, { name }) =>
    html`<label class="pick"><input type="checkbox" name="${name}" value="on"${isOn && html` checked`}>${label}</label>`,
})

const keywords = (label: string, help: string): Input<string> => ({
  label,
  read: (form, name) => form.text(name).trim(),
  show: (value, field) => textField({ ...field, label, help, value, isCode: true }),
})

type Choice<Value> = readonly [sent: string, words: string, means: Value]

/** @param usual the default option, which is also used if the value matches neither option */
const oneOf = <Value>(label: string, usual: Choice<Value>, other: Choice<Value>): Input<Value> => ({
  label,
  read: (form, name) => (form.text(name) === other[0] ? other : usual)[2],
  show: (value, { name }) => choice(name, label, (value === other[2] ? other : usual)[0], [usual, other]),
})

/**
 * The form's inputs. This list defines both which fields are shown and which are read, because saving would change a field that is read but
 * not shown.
 */
const INPUTS: { readonly [Name in keyof RulesValues]: Input<RulesValues[Name]> } = {
  filter_subject: place('Email subject'),
  filter_body: place('Email body'),
  filter_http_body: place('Request body'),
  failure_kw: keywords('Failure keywords', 'Checked first. Comma-separated, case-sensitive: ERROR, FATAL'),
  success_kw: keywords('Success keywords', 'Checked when no failure keyword is found.'),
  start_kw: keywords('Start keywords', 'Checked last.'),
  filter_default_fail: oneOf(
    'If no keyword matches',
    ['ignore', 'Ignore the ping', false],
    ['fail', 'Count it as a failure', true],
  ),
  methods: oneOf('Accepted methods', ['', 'Any', ''], ['POST', 'POST only', 'POST']),
  manual_resume: oneOf(
    'While the check is paused',
    ['no', 'A ping resumes it', false],
    ['yes', 'It stays paused', true],
  ),
}

/** Field names, in display order. */
export const RULES_FIELDS = Object.keys(INPUTS) as (keyof RulesValues)[]
const PLACES: readonly (keyof RulesValues)[] = ['filter_subject', 'filter_body', 'filter_http_body']

export const rulesLabel = (name: keyof RulesValues) => INPUTS[name].label

export function rulesOf(check: CheckSettings): RulesValues {
  return membersOf(RULES, check)
}

export function readRules(form: Form): RulesValues {
  return Object.fromEntries(RULES_FIELDS.map((name) => [name, INPUTS[name].read(form, name)])) as unknown as RulesValues
}

/** @param focus name of the field to focus; null for none */
export function rulesFields(values: RulesValues, errors: FieldErrors, focus: string | null): Html {
  const show = <Name extends keyof RulesValues>(name: Name) =>
    INPUTS[name].show(values[name], { name, error: errors[name], hasFocus: focus === name })
  return html`<fieldset class="field"><legend>Look for keywords in</legend><div class="picks">${PLACES.map(show)}</div>${OVERRIDES}</fieldset>
${RULES_FIELDS.filter((name) => !PLACES.includes(name)).map(show)}`
}

const OVERRIDES = html`<p class="help">If request bodies are searched, only keywords count. A suffix of the URL (<code>/start</code>, <code>/fail</code>, <code>/log</code> or an exit status) is ignored, and an empty body matches no keyword.</p>`

/** Renders a choice between a few options. @param options values and texts, in display order */
export function choice(
  name: string,
  legend: string,
  value: string,
  options: readonly (readonly [value: string, words: HtmlValue, ...unknown[]])[],
): Html {
  const labels = options.map(
    ([each, words]) =>
      html`<label><input type="radio" name="${name}" value="${each}"${each === value && html` checked`}>${words}</label>`,
  )
  return html`<fieldset class="field"><legend>${legend}</legend><div class="seg">${labels}</div></fieldset>`
}
