/** `/p/<project>/status-page`: the settings for a project's public status page, and a preview of it. */

import { may } from '../../../../domain/actor.ts'
import { isTag } from '../../../../domain/check/tags.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { fits } from '../../../../domain/schema.ts'
import { SECTION_NAME_LIMIT, SectionName, type StatusPage } from '../../../../domain/status-page/status-page.ts'
import { readPublicStatus } from '../../../../services/status-pages/public-status.ts'
import {
  addSection,
  findPublicSlug,
  getStatusPage,
  listChoices,
  moveSectionUp,
  removeSection,
  type SectionChoices,
  saveSection,
  saveSettings,
} from '../../../../services/status-pages/status-pages.ts'
import type { FormLimit } from '../../form.ts'
import { projectPath } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import type { FieldErrors } from '../../parts/forms/fields.ts'
import { card } from '../../parts/lists.ts'
import { siteNote } from '../../parts/reach-note.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { FORMLESS_POLICY, HTML_TYPE } from '../../security-headers.ts'
import { orFormAgain } from '../forms.ts'
import { projectRoute } from '../new-route.ts'
import { publicStatusPage } from '../public-status/page.ts'
import { readSection, type SectionForm, sectionErrors, sectionForm } from './section-form.ts'
import { type NewSection, SECTION_FIELDS, sectionsBody } from './sections.ts'
import { readSettings, settingsErrors, settingsForm } from './settings-form.ts'

const PATH = 'status-page'
/**
 * Size limit for the form. It is large enough for 200 checks with percent-encoded texts of the maximum length. Each check has four fields.
 */
const SECTION_FORM_LIMIT: FormLimit = { bytes: 1_048_576, fields: 1_000 }

export function statusPageRoutes(deps: PageDeps): readonly Route[] {
  const section = `${PATH}/sections/:section`
  return [
    projectRoute('GET', PATH, 'read', (visit) => (may(visit.actor, 'write') ? pageAnswer : readerAnswer)(deps, visit)),
    projectRoute('POST', PATH, 'write', (visit) => changePage(deps, visit)),
    projectRoute('GET', `${PATH}/preview`, 'write', (visit) => preview(deps, visit)),
    projectRoute('GET', section, 'write', (visit) => sectionAnswer(deps, visit)),
    projectRoute('POST', section, 'write', (visit) => changeSection(deps, visit), { formLimit: SECTION_FORM_LIMIT }),
  ]
}

const pathOf = ({ actor }: ProjectVisit) => projectPath(actor.project.slug, PATH)

interface Typed {
  /** typed settings; null to show the saved settings */
  readonly settings: ReturnType<typeof readSettings> | null
  readonly section: NewSection
  readonly errors: FieldErrors
}

const NOTHING_TYPED: Typed = { settings: null, section: { name: '', tag: '' }, errors: {} }

async function pageAnswer(deps: PageDeps, visit: ProjectVisit, typed = NOTHING_TYPED): Promise<PageAnswer> {
  const page = await getStatusPage(deps, visit.actor)
  const status = Object.keys(typed.errors).length > 0 ? 422 : 200
  return { kind: 'page', status, page: statusPage(deps, visit, page, typed) }
}

function statusPage(
  { site }: PageDeps,
  visit: ProjectVisit,
  page: StatusPage,
  { settings, section, errors }: Typed,
): FrameContent {
  const { href } = visit.site
  const path = href(pathOf(visit))
  const base = `${site.links.siteRoot}/status/`
  const open = page.isPublic && linkButton({ text: 'Open page', href: href(`/status/${page.slug}`) })
  return {
    layout: 'frame',
    title: 'Status page',
    isNarrow: true,
    actions: html`${linkButton({ text: 'Preview', href: `${path}/preview` })}${open}`,
    body: html`<div class="stack">${card({ title: 'Page', aside: html`<p>${page.isPublic ? 'Public' : 'Not public'}</p>`, body: settingsForm({ action: path, base, reach: siteNote(site.links, visit.account.isAdministrator), values: settings ?? page, errors }) })}
${card({ title: 'Sections', body: sectionsBody({ path, sections: page.sections, fresh: section, errors }) })}</div>`,
  }
}

/** Returns the page for users with read-only access. The page shows only the status page's URL. */
async function readerAnswer(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const slug = await findPublicSlug(deps, visit.actor)
  const path = `/status/${slug}`
  const body =
    slug === null
      ? html`<p>This project has no public status page. Its members can create one.</p>`
      : html`<p>The public status page of this project is at <a href="${visit.site.href(path)}">${deps.site.links.siteRoot}${path}</a>.</p>${siteNote(deps.site.links, visit.account.isAdministrator)}`
  return { layout: 'frame', title: 'Status page', isNarrow: true, body }
}

function changePage(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { form } = visit
  switch (form.text('action')) {
    case 'save':
      return savePage(deps, visit)
    case 'add':
      return add(deps, visit)
    case 'up':
      return moveUp(deps, visit)
    case 'remove':
      return remove(deps, visit)
    default:
      throw new Refusal('invalid', 'the form does not say what to do: load the page again')
  }
}

async function savePage(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const settings = readSettings(visit.form)
  const again = (errors: FieldErrors) => pageAnswer(deps, visit, { ...NOTHING_TYPED, settings, errors })
  const errors = settingsErrors(settings)
  if (Object.keys(errors).length > 0) return again(errors)
  const page = await getStatusPage(deps, visit.actor)
  return orFormAgain(
    {
      refused: { 'status-slug-taken': 'slug' },
      page: ({ fields }) => statusPage(deps, visit, page, { ...NOTHING_TYPED, settings, errors: fields }),
    },
    async () => {
      await saveSettings(deps, visit.actor, settings)
      return { kind: 'redirect', to: pathOf(visit), done: 'saved' }
    },
  )
}

async function add(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { form, actor } = visit
  const section = { name: form.text(SECTION_FIELDS.name).trim(), tag: form.text(SECTION_FIELDS.tag).trim() }
  const errors = {
    ...(fits(SectionName, section.name)
      ? {}
      : { [SECTION_FIELDS.name]: `Type a name of at most ${SECTION_NAME_LIMIT} characters, such as Shop.` }),
    ...(section.tag === '' || isTag(section.tag) ? {} : { [SECTION_FIELDS.tag]: 'Type a single tag, without spaces.' }),
  }
  if (Object.keys(errors).length > 0) return pageAnswer(deps, visit, { ...NOTHING_TYPED, section, errors })
  const page = await getStatusPage(deps, actor)
  return orFormAgain(
    {
      refused: { 'status-page-full': SECTION_FIELDS.name },
      page: ({ fields }) => statusPage(deps, visit, page, { ...NOTHING_TYPED, section, errors: fields }),
    },
    async () => {
      const tag = section.tag === '' ? null : section.tag
      const { id } = await addSection(deps, actor, { name: section.name, tag })
      return { kind: 'redirect', to: `${pathOf(visit)}/sections/${id}` }
    },
  )
}

async function moveUp(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  await moveSectionUp(deps, visit.actor, visit.form.text('section'))
  return { kind: 'redirect', to: pathOf(visit), done: 'saved' }
}

async function remove(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  await removeSection(deps, visit.actor, visit.form.text('section'))
  return { kind: 'redirect', to: pathOf(visit), done: 'section-removed' }
}

/** Shows the page as visitors would see it, even if it is not public. */
async function preview(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const page = await getStatusPage(deps, visit.actor)
  const status = await readPublicStatus(deps, page)
  const headers = { ...HTML_TYPE, ...FORMLESS_POLICY }
  const look = { href: visit.site.href, isPublic: page.isPublic, settings: pathOf(visit) }
  return { kind: 'file', body: publicStatusPage(status, look).text, headers }
}

async function sectionAnswer(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const query = visit.url.searchParams.get('q') ?? ''
  const data = await readChoices(deps, visit, query)
  return sectionPage(visit, { data, query, typed: null, errors: {} })
}

function readChoices(deps: PageDeps, { actor, params }: ProjectVisit, query: string): Promise<SectionChoices> {
  return deps.longReads.during(actor.by, () => listChoices(deps, actor, params.section ?? '', query))
}

function sectionPage(visit: ProjectVisit, form: Omit<SectionForm, 'path' | 'pagePath'>): FrameContent {
  const { href } = visit.site
  const pagePath = pathOf(visit)
  const path = href(`${pagePath}/sections/${form.data.section.id}`)
  return {
    layout: 'frame',
    title: 'Section of the status page',
    isNarrow: true,
    crumbs: [{ path: pagePath, text: 'Status page' }],
    body: html`<div class="stack">${sectionForm({ ...form, path, pagePath: href(pagePath) })}</div>`,
  }
}

async function changeSection(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form } = visit
  const typed = readSection(form)
  const query = form.text('q')
  const errors = sectionErrors(typed)
  const data = await readChoices(deps, visit, query)
  const again = (problems: FieldErrors) => sectionPage(visit, { data, query, typed, errors: problems })
  if (Object.keys(errors).length > 0) return { kind: 'page', status: 422, page: again(errors) }
  const { id } = data.section
  const path = `${pathOf(visit)}/sections/${id}`
  return orFormAgain({ refused: { 'status-page-full': 'name' }, page: ({ fields }) => again(fields) }, async () => {
    await saveSection(deps, actor, id, typed)
    return { kind: 'redirect', to: query === '' ? path : `${path}?${new URLSearchParams({ q: query })}`, done: 'saved' }
  })
}
