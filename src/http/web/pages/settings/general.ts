/** A project's general settings: its name, log and search. Owners can edit them. */
import { PING_LOG_LIMIT_MAX, PROJECT_NAME_LIMIT } from '../../../../domain/project.ts'
import type { ProjectSettings } from '../../../../services/projects/projects.ts'
import type { Form } from '../../form.ts'
import { type Href, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { zoneField } from '../../parts/forms/account-fields.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { firstBad, switchField, textField } from '../../parts/forms/fields.ts'
import { card } from '../../parts/lists.ts'
import type { FormProblems } from '../forms.ts'
import { SETTINGS } from './paths.ts'

/** The values that the user typed into the form. */
export interface GeneralValues {
  readonly name: string
  readonly limit: string
  readonly isSearched: boolean
  /** IANA name of the time zone; '' for none */
  readonly tz: string
}

export function typedValues(form: Form): GeneralValues {
  return {
    name: form.text('name').trim(),
    limit: form.text('limit').trim(),
    isSearched: form.has('search'),
    tz: form.text('tz').trim(),
  }
}

export function storedValues({ name, pingLogLimit, isSearched, tz }: ProjectSettings): GeneralValues {
  return { name, limit: String(pingLogLimit), isSearched, tz: tz ?? '' }
}

/** Converts the values to settings. If the limit is not an integer, it becomes NaN. */
export function settingsOf({ name, limit, isSearched, tz }: GeneralValues): ProjectSettings {
  const pingLogLimit = /^\d{1,9}$/.test(limit) ? Number(limit) : Number.NaN
  return { name, pingLogLimit, isSearched, tz: tz === '' ? null : tz }
}

const LIMIT_LABEL = 'Pings kept for each check'
const LIMIT_RANGE = `between 1 and ${PING_LOG_LIMIT_MAX.toLocaleString('en')}`
const LIMIT_HELP = 'If you lower it, older pings are deleted within minutes.'
export const LIMIT_MISTAKE = `"${LIMIT_LABEL}" must be ${LIMIT_RANGE}. ${LIMIT_HELP}`

interface General {
  readonly href: Href
  readonly slug: string
  readonly values: GeneralValues
  readonly problems: FormProblems
}

export function generalCard({ href, slug, values, problems: { fields } }: General): Html {
  const { name, limit, isSearched, tz } = values
  const focus = firstBad(['name', 'limit', 'tz'], fields)
  return card({
    title: 'Project',
    body: html`<form class="form" method="post" action="${href(projectPath(slug, SETTINGS))}">
${textField({
  name: 'name',
  label: 'Name',
  value: name,
  isRequired: true,
  maxLength: PROJECT_NAME_LIMIT,
  help: html`The addresses of the project’s pages do not change: <code>${href(`/p/${slug}/`)}</code>`,
  error: fields.name,
  hasFocus: focus === 'name',
})}
${textField({
  name: 'limit',
  label: LIMIT_LABEL,
  type: 'number',
  value: limit,
  isRequired: true,
  help: `A number ${LIMIT_RANGE}. ${LIMIT_HELP}`,
  error: fields.limit,
  hasFocus: focus === 'limit',
})}
${zoneField({
  value: tz,
  label: 'Time zone of alerts',
  help: 'Used for times in alerts to chats and webhooks, such as Europe/Riga. If empty, the time zone of each check. Email integrations have their own time zone.',
  isOptional: true,
  error: fields.tz,
  hasFocus: focus === 'tz',
})}
${switchField({
  name: 'search',
  label: 'Index job output for search',
  isOn: isSearched,
  help: 'If this is off, the search finds checks by name, but not by the output of their jobs.',
})}
<div class="acts">${submit({ text: 'Save settings', look: 'primary' })}</div>
</form>`,
  })
}
