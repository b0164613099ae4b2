/** Routes, page layout and responses shared by the forms for a single check. */

import type { Check } from '../../../../domain/check/check.ts'
import type { CheckWithChannels } from '../../../../domain/check/representation.ts'
import { getCheckByPublicId } from '../../../../services/checks/checks.ts'
import type { FormLimit } from '../../form.ts'
import { checkPath, projectPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { type ButtonLook, formActs } from '../../parts/forms/buttons.ts'
import { bdi } from '../../parts/words/text.ts'
import type { FrameContent, PageAnswer, PageContent, ProjectVisit, Route } from '../../route.ts'
import { projectRoute } from '../new-route.ts'

export interface CheckForm {
  /** last segment of the form's path */
  readonly word: string
  show(found: CheckWithChannels, visit: ProjectVisit): PageContent | Promise<PageContent>
  act(found: CheckWithChannels, visit: ProjectVisit): Promise<PageAnswer>
}

/** Returns the routes for a form that acts on the check in the URL. */
export function checkFormRoutes(deps: PageDeps, { word, show, act }: CheckForm): readonly Route[] {
  const find = ({ actor, params }: ProjectVisit) => getCheckByPublicId(deps, actor, params.check ?? '')
  return formRoutes(`checks/:check/${word}`, {
    show: async (visit) => show(await find(visit), visit),
    act: async (visit) => act(await find(visit), visit),
  })
}

interface Form {
  show(visit: ProjectVisit): Promise<PageContent>
  act(visit: ProjectVisit): Promise<PageAnswer>
}

/** Returns the routes of a form for users who may change checks. @param path path below `/p/<project>/` */
export function formRoutes(path: string, { show, act }: Form): readonly Route[] {
  return [
    projectRoute('GET', path, 'write', show),
    projectRoute('POST', path, 'write', act, { formLimit: CHECK_FORM_LIMIT }),
  ]
}

/**
 * Size limit for these forms. Percent-encoding may triple the size of the longest description. A form may contain a field for each
 * integration in the project, or two fields for each check on the page.
 */
export const CHECK_FORM_LIMIT: FormLimit = { bytes: 524_288, fields: 10_000 }

interface CheckFormPage extends Pick<FrameContent, 'title' | 'heading' | 'intro'> {
  readonly visit: ProjectVisit
  readonly check: Check
  readonly word: string
  readonly fields: HtmlValue
  /** the form's button; null if there is nothing to submit */
  readonly button: { readonly text: string; readonly look: ButtonLook } | null
}

export function checkFormPage({ visit, check, word, fields, button, ...head }: CheckFormPage): FrameContent {
  const { href } = visit.site
  const own = checkPath(visit.actor.project.slug, check.publicId)
  return {
    layout: 'frame',
    ...head,
    crumbs: crumbsOf(visit, check),
    isNarrow: true,
    body: html`<form class="form" method="post" action="${href(`${own}/${word}`)}">
${fields}
${formActs(button, href(own))}
</form>`,
  }
}

/** Returns the breadcrumb links to the list and the check. */
export function crumbsOf({ actor }: ProjectVisit, { publicId, name }: Check): NonNullable<FrameContent['crumbs']> {
  const { slug } = actor.project
  return [
    { path: projectPath(slug, 'checks'), text: 'Checks' },
    { path: checkPath(slug, publicId), text: name || 'no name' },
  ]
}

/** Returns a check's name for use in a sentence. */
export function checkWords({ name }: Check): Html | string {
  return name === '' ? 'the check without a name' : html`<b>${bdi(name)}</b>`
}
