/** A section's form, in which users choose its checks and their public names. */
import { fits } from '../../../../domain/schema.ts'
import {
  SECTION_NAME_LIMIT,
  SERVICE_NAME_LIMIT,
  SERVICE_TEXT_LIMIT,
  SectionName,
  ServiceName,
  ServiceText,
} from '../../../../domain/status-page/status-page.ts'
import type { SectionChoices, SectionEdit, ServiceChoice } from '../../../../services/status-pages/status-pages.ts'
import type { Form } from '../../form.ts'
import { type Html, html } from '../../html.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { type FieldErrors, switchField, textField } from '../../parts/forms/fields.ts'
import { icon } from '../../parts/icons.ts'
import { bdi, counted, shown } from '../../parts/words/text.ts'

/** Maximum number of rows to read from a form. A page never contains that many. */
const ROWS_READ = 250

export function readSection(form: Form): SectionEdit {
  const ids = [...new Set(form.list('check'))].slice(0, ROWS_READ)
  return {
    name: form.text('name').trim(),
    rows: ids.map((publicId) => ({
      publicId,
      isShown: form.has(`show-${publicId}`),
      name: form.text(`name-${publicId}`).trim(),
      text: form.text(`text-${publicId}`).trim(),
    })),
    up: form.has('up') ? form.text('up') : null,
  }
}

/** Returns the error messages by field name. */
export function sectionErrors({ name, rows }: SectionEdit): FieldErrors {
  const errors: Record<string, string> = {}
  if (!fits(SectionName, name)) errors.name = `Type a name of at most ${SECTION_NAME_LIMIT} characters.`
  for (const row of rows) {
    if (!row.isShown) continue
    if (!fits(ServiceName, row.name)) {
      errors[`name-${row.publicId}`] = `Type the public name, with at most ${SERVICE_NAME_LIMIT} characters.`
    }
    if (!fits(ServiceText, row.text)) {
      errors[`text-${row.publicId}`] = `This is too long: use at most ${SERVICE_TEXT_LIMIT} characters.`
    }
  }
  return errors
}

export interface SectionForm {
  /** this page's path, including the SITE_ROOT path prefix */
  readonly path: string
  /** path of the status page's settings, including the SITE_ROOT path prefix */
  readonly pagePath: string
  readonly data: SectionChoices
  /** text to search for */
  readonly query: string
  /** the section as the user typed it; null to show the saved section */
  readonly typed: SectionEdit | null
  readonly errors: FieldErrors
}

/** Renders the form. Pressing Enter activates the first button, so that button must not change the order of checks. */
export function sectionForm(form: SectionForm): Html {
  const { path, pagePath, data, query, typed, errors } = form
  const { section, more } = data
  const [firstError = null] = Object.keys(errors)
  const rows = data.choices.map((choice, index) => row(typedChoice(choice, typed), index, errors, firstError))
  const words =
    section.tag === null
      ? html`Choose from the checks of the project.`
      : html`Checks with the tag ${bdi(section.tag)} are suggested. If a check loses the tag, it is no longer shown.`
  return html`<form class="filters" role="search" action="${path}" aria-label="Find checks"><div class="search">${icon('search')}<input class="in" type="search" name="q" value="${query}" maxlength="200" aria-label="Name, tag or slug of checks that are not on the page" placeholder="Name, tag or slug" autocomplete="off" spellcheck="false" autocapitalize="none" data-key="/"></div>${submit({ text: 'Find checks' })}</form>
<form class="form" method="post" action="${path}"><input type="hidden" name="q" value="${query}">
${textField({ name: 'name', label: 'Name of the section', value: typed?.name ?? section.name, isRequired: true, maxLength: SECTION_NAME_LIMIT, help: 'Shown publicly.', error: errors.name, hasFocus: firstError === 'name' })}
<p class="help">${words} The page shows every check whose switch is on, under its public name. Until you save, the names are suggestions: change those that reveal too much. Everything else about a check stays private.</p>
<div class="acts">${submit({ text: 'Save section', look: 'primary' })}</div>
${rows}
${more > 0 && html`<p class="help">${counted(more, 'more check matches', 'more checks match')}. Type part of a name to find them.</p>`}
<div class="acts">${submit({ text: 'Save section', look: 'primary' })}</div>
</form>
<form class="form" method="post" action="${pagePath}"><input type="hidden" name="action" value="remove">
<div class="acts">${submit({ text: 'Remove section', look: 'danger', field: { name: 'section', value: section.id } })}</div><p class="help">Its public names and texts will be deleted. The checks will stay.</p></form>`
}

/** Returns the check with the values that the user typed for it. */
function typedChoice(choice: ServiceChoice, typed: SectionEdit | null): ServiceChoice {
  const row = typed?.rows.find(({ publicId }) => publicId === choice.publicId)
  return row ? { ...choice, ...row } : choice
}

function row(choice: ServiceChoice, index: number, errors: FieldErrors, firstError: string | null): Html {
  const { publicId, ownName, isShown, name, text, lacksTag } = choice
  const field = (word: string) => {
    const full = `${word}-${publicId}`
    return { name: full, error: errors[full], hasFocus: firstError === full }
  }
  const own = ownName === '' ? html`<i>unnamed</i>` : bdi(ownName)
  const up =
    isShown &&
    index > 0 &&
    submit({
      text: 'Move up',
      look: 'quiet',
      isSmall: true,
      label: `Move up: ${shown(name)}`,
      field: { name: 'up', value: publicId },
    })
  return html`<fieldset class="choice"><legend>${own}</legend><input type="hidden" name="check" value="${publicId}">
<div class="acts">${switchField({ name: `show-${publicId}`, label: 'On the page', isOn: isShown })}${up}</div>${
    lacksTag && html`<p class="help">Not shown: the check no longer has the tag of the section.</p>`
  }
<div class="two">${textField({ ...field('name'), label: 'Public name', value: name, maxLength: SERVICE_NAME_LIMIT })}
${textField({ ...field('text'), label: 'Text', value: text, maxLength: SERVICE_TEXT_LIMIT })}</div></fieldset>`
}
