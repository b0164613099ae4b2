/** The form for a status page's settings: whether it is public, its URL, and its texts. */
import { listProblems, type Problem } from '../../../../domain/schema.ts'
import {
  STATUS_SLUG_LIMIT,
  StatusPageSettings,
  TEXT_LIMIT,
  TITLE_LIMIT,
} from '../../../../domain/status-page/status-page.ts'
import type { Form } from '../../form.ts'
import { type Html, html } from '../../html.ts'
import { zoneError, zoneField } from '../../parts/forms/account-fields.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { areaField, type FieldErrors, firstBad, switchField, textField } from '../../parts/forms/fields.ts'

/** Field names, in display order. */
const NAMES = ['slug', 'title', 'text', 'tz'] as const
const MAX_PROBLEMS = 10

export function readSettings(form: Form): StatusPageSettings {
  return {
    slug: form.text('slug').trim(),
    title: form.text('title').trim(),
    text: form.text('text').replaceAll('\r\n', '\n').trim(),
    tz: form.text('tz').trim(),
    isPublic: form.has('public'),
    isIndexed: form.has('indexed'),
  }
}

/** Returns the error messages by field name. */
export function settingsErrors(settings: StatusPageSettings): FieldErrors {
  const problems = listProblems(StatusPageSettings, settings, MAX_PROBLEMS)
  return Object.fromEntries(problems.map((problem) => [problem.path.slice(1), inWords(problem, settings)]))
}

function inWords({ path, violation, accepted }: Problem, settings: StatusPageSettings): string {
  if (violation === 'too long') return `This is too long: use ${accepted}.`
  if (path === '/slug') return 'Use a-z, 0-9 and -. Begin and end with a letter or a digit: harbour-books'
  if (path === '/title') return 'The page needs a title, such as Harbour Books status.'
  return path === '/tz' ? zoneError(settings.tz) : 'This text contains characters that cannot be stored.'
}

interface SettingsForm {
  /** path that the form is posted to, including the SITE_ROOT path prefix */
  readonly action: string
  /** part of the page's URL before the slug */
  readonly base: string
  /** note about clients that cannot reach the URL; null if all clients can */
  readonly reach: Html | null
  readonly values: StatusPageSettings
  readonly errors: FieldErrors
}

export function settingsForm({ action, base, reach, values, errors }: SettingsForm): Html {
  const focus = firstBad(NAMES, errors)
  const common = (name: (typeof NAMES)[number]) => ({ name, error: errors[name], hasFocus: focus === name })
  return html`<form class="form" method="post" action="${action}"><input type="hidden" name="action" value="save">
${switchField({ name: 'public', label: 'Public', isOn: values.isPublic, help: 'Everyone who has the address can see the page without signing in. If this is off, visitors get “not found”.' })}
${textField({ ...common('slug'), label: 'Address', value: values.slug, isCode: true, isRequired: true, maxLength: STATUS_SLUG_LIMIT, prefix: base })}${reach}
${textField({ ...common('title'), label: 'Title', value: values.title, isRequired: true, maxLength: TITLE_LIMIT, help: 'The name of the project stays private.' })}
${areaField({ ...common('text'), label: 'Text', value: values.text, rows: 3, help: `Shown below the title, at most ${TEXT_LIMIT.toLocaleString('en')} characters. Addresses become links.` })}
${zoneField({ value: values.tz, error: errors.tz, hasFocus: focus === 'tz', help: 'For example, Europe/Riga. Times on the page are in this zone, and days begin at midnight there.' })}
${switchField({ name: 'indexed', label: 'Allow search engines', isOn: values.isIndexed, help: 'If this is off, search engines are asked not to list the page.' })}
<div class="acts">${submit({ text: 'Save page', look: 'primary' })}</div>
</form>`
}
