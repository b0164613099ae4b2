/** The fields of how a check reads its pings: where keywords are looked for, which ones, and what counts without them. */
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

/** As they were typed, in the words of the API. */
export type RulesValues = Members<typeof RULES>

const RULES = writtenFields(RULE_FIELDS)
const PLACES = ['filter_subject', 'filter_body', 'filter_http_body'] as const
/** Those that are typed, in their order. */
export const RULES_FIELDS = ['failure_kw', 'success_kw', 'start_kw'] as const

export function rulesOf(check: CheckSettings): RulesValues {
  return membersOf(RULES, check)
}

export function readRules(form: Form): RulesValues {
  return {
    filter_subject: form.has('filter_subject'),
    filter_body: form.has('filter_body'),
    filter_http_body: form.has('filter_http_body'),
    failure_kw: form.text('failure_kw').trim(),
    success_kw: form.text('success_kw').trim(),
    start_kw: form.text('start_kw').trim(),
    filter_default_fail: form.text('filter_default_fail') === 'fail',
    methods: form.text('methods') === 'POST' ? 'POST' : '',
    manual_resume: form.text('manual_resume') === 'yes',
  }
}

/** @param focus the name of the field that gets the focus; null for none of them */
export function rulesFields(values: RulesValues, errors: FieldErrors, focus: string | null): Html {
  const keywords = RULES_FIELDS.map((name) =>
    textField({
      ...{ name, label: RULES_LABELS[name], help: HELP[name], isCode: true, value: values[name] },
      ...{ error: errors[name], hasFocus: focus === name },
    }),
  )
  return html`<fieldset class="field"><legend>Look for keywords in</legend><div class="picks">${PLACES.map((name) => place(name, values[name]))}</div>${OVERRIDES}</fieldset>
${keywords}
${choice('filter_default_fail', 'If no keyword matches', values.filter_default_fail ? 'fail' : 'ignore', [
  ['ignore', 'Ignore the ping'],
  ['fail', 'Count it as a failure'],
])}
${choice('methods', 'Accepted methods', values.methods, [
  ['', 'Any'],
  ['POST', 'POST only'],
])}
${choice('manual_resume', 'While the check is paused', values.manual_resume ? 'yes' : 'no', [
  ['no', 'A ping resumes it'],
  ['yes', 'It stays paused'],
])}`
}

const OVERRIDES = html`<p class="help">If request bodies are searched, keywords alone decide: a suffix of the URL (<code>/start</code>, <code>/fail</code>, <code>/log</code> or an exit status) is ignored, and an empty body matches nothing.</p>`

const PLACE_WORDS = {
  filter_subject: 'Email subject',
  filter_body: 'Email body',
  filter_http_body: 'Request body',
} as const

export const RULES_LABELS = {
  failure_kw: 'Failure keywords',
  success_kw: 'Success keywords',
  start_kw: 'Start keywords',
} as const

const HELP = {
  failure_kw: 'Checked first. Comma-separated, case-sensitive: ERROR, FATAL',
  success_kw: 'Checked when no failure keyword is found.',
  start_kw: 'Checked last.',
} as const

function place(name: keyof typeof PLACE_WORDS, isOn: boolean): Html {
  return html`<label class="pick"><input type="checkbox" name="${name}" value="on"${isOn && html` checked`}>${PLACE_WORDS[name]}</label>`
}

/** One of a few. @param options value and words, in their order */
export function choice(
  name: string,
  legend: string,
  value: string,
  options: readonly (readonly [value: string, words: HtmlValue])[],
): Html {
  const labels = options.map(
    ([each, words]) =>
      html`<label><input type="radio" name="${name}" value="${each}"${each === value && html` checked`}>${words}</label>`,
  )
  return html`<fieldset class="field"><legend>${legend}</legend><div class="seg">${labels}</div></fieldset>`
}
