/** What the forms about one check share: their two routes, their page, their answers. */

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
  /** the last word of its address */
  readonly word: string
  show(found: CheckWithChannels, visit: ProjectVisit): PageContent | Promise<PageContent>
  act(found: CheckWithChannels, visit: ProjectVisit): Promise<PageAnswer>
}

/** A form about the check that the address names. */
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

/** For who may change checks. @param path below `/p/<project>/` */
export function formRoutes(path: string, { show, act }: Form): readonly Route[] {
  return [
    projectRoute('GET', path, 'write', show),
    projectRoute('POST', path, 'write', act, { formLimit: CHECK_FORM_LIMIT }),
  ]
}

/**
 * A description that the API took is sent with up to three bytes for each of its own. A form has a field for each integration of the
 * project, or two for each check that its page shows.
 */
export const CHECK_FORM_LIMIT: FormLimit = { bytes: 524_288, fields: 10_000 }

interface CheckFormPage extends Pick<FrameContent, 'title' | 'heading' | 'intro' | 'help'> {
  readonly visit: ProjectVisit
  readonly check: Check
  readonly word: string
  /** above the form */
  readonly above?: HtmlValue
  readonly fields: HtmlValue
  /** its button; null: there is nothing to send */
  readonly button: { readonly text: string; readonly look: ButtonLook } | null
  /** in the form too, beside fields and buttons */
  readonly beside?: HtmlValue
  /** What shows the meaning of the fields while they change. @see browser/preview.ts */
  readonly preview?: {
    /** with the path of SITE_ROOT */
    readonly path: string
    readonly into: string
  }
}

export function checkFormPage(page: CheckFormPage): FrameContent {
  const { visit, check, word, above, fields, button, beside, preview, ...head } = page
  const { href } = visit.site
  const { slug } = visit.actor.project
  const own = checkPath(slug, check.publicId)
  const main = html`${fields}
${formActs(button, href(own))}`
  return {
    layout: 'frame',
    ...head,
    crumbs: [
      { path: projectPath(slug, 'checks'), text: 'Checks' },
      { path: own, text: check.name || 'no name' },
    ],
    isNarrow: beside === undefined,
    body: html`${above}<form class="form" method="post" action="${href(`${own}/${word}`)}"${preview && previewed(preview)}>
${beside === undefined ? main : html`<div class="cols even"><div class="form">${main}</div>${beside}</div>`}
</form>`,
  }
}

/** A browser that put typed text back after a reload would show another preview than the server. */
function previewed({ path, into }: NonNullable<CheckFormPage['preview']>): Html {
  return html` autocomplete="off" data-preview="${path}" data-preview-into="${into}"`
}

/** The name of a check in a sentence. */
export function checkWords({ name }: Check): Html | string {
  return name === '' ? 'the check without a name' : html`<b>${bdi(name)}</b>`
}
