/** The list of a status page's sections for project members, and a form for adding a section. */
import { SECTION_NAME_LIMIT, type Section } from '../../../../domain/status-page/status-page.ts'
import { type Html, html } from '../../html.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { type FieldErrors, firstBad, textField } from '../../parts/forms/fields.ts'
import { bdi, counted } from '../../parts/words/text.ts'

export interface NewSection {
  readonly name: string
  readonly tag: string
}

interface SectionsData {
  /** path that forms are posted to, including the SITE_ROOT path prefix; section URLs start with it */
  readonly path: string
  readonly sections: readonly Section[]
  readonly fresh: NewSection
  readonly errors: FieldErrors
}

/** Field names for a new section. They must not clash with field names in the page's other form. */
export const SECTION_FIELDS = { name: 'section-name', tag: 'section-tag' } as const

export function sectionsBody(data: SectionsData): Html {
  const { path, sections, fresh, errors } = data
  const focus = firstBad(Object.values(SECTION_FIELDS), errors)
  const field = (name: string) => ({ name, error: errors[name], hasFocus: focus === name })
  const list = html`<ul class="sections">${sections.map((section, index) => sectionItem(data, section, index))}</ul>`
  return html`${sections.length > 0 ? list : html`<p class="muted">No checks on the page yet. Add a section, then choose its checks.</p>`}
<form class="form" method="post" action="${path}"><input type="hidden" name="action" value="add">
<div class="two">${textField({ ...field(SECTION_FIELDS.name), label: 'Name of a new section', value: fresh.name, maxLength: SECTION_NAME_LIMIT, help: 'Shown publicly.' })}
${textField({ ...field(SECTION_FIELDS.tag), label: 'Tag', value: fresh.tag, isCode: true, help: 'Checks with this tag are suggested for the section. If a check loses the tag, it disappears from the page. Leave this empty to choose from all checks. The tag stays private.' })}</div>
<div class="acts">${submit({ text: 'Add section', icon: 'plus' })}</div>
</form>`
}

function sectionItem({ path }: SectionsData, { id, name, tag, services }: Section, index: number): Html {
  const form = (action: string, text: string) =>
    html`<form method="post" action="${path}"><input type="hidden" name="action" value="${action}">${submit({ text, look: 'quiet', isSmall: true, label: `${text}: ${name}`, field: { name: 'section', value: id } })}</form>`
  return html`<li><a href="${path}/sections/${id}">${bdi(name)}</a> <span class="muted">${counted(services.length, 'service', 'services')}${tag !== null && html`, tag ${bdi(tag)}`}</span><span class="acts end">${index > 0 && form('up', 'Move up')}</span></li>`
}
