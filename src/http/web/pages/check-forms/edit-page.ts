/** The page for editing a check. It has four tabs, each with its own form. */
import { type CheckSettings, membersOf, NEW_SETTINGS, RULE_FIELDS } from '../../../../domain/check/fields.ts'
import type { CheckWithChannels } from '../../../../domain/check/representation.ts'
import { checkPath, EDIT_TABS, type EditTab, editPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { formActs } from '../../parts/forms/buttons.ts'
import { bdi } from '../../parts/words/text.ts'
import type { FrameContent, PageAnswer, PageContent, ProjectVisit } from '../../route.ts'
import { crumbsOf } from './check-form.ts'

/** A tab of the page. It renders a form, and a preview that the script requests while the user types. */
export interface EditForm {
  readonly tab: EditTab
  show(found: CheckWithChannels, visit: ProjectVisit): Promise<PageContent>
  act(found: CheckWithChannels, visit: ProjectVisit): Promise<PageAnswer>
  /** returns the fragment for {@link previewHref}; omitted if there is nothing to preview */
  preview?(found: CheckWithChannels, visit: ProjectVisit): Promise<Html>
}

interface EditPage extends Pick<FrameContent, 'help'> {
  readonly visit: ProjectVisit
  readonly found: CheckWithChannels
  readonly tab: EditTab
  /** content above the form */
  readonly above?: HtmlValue
  readonly fields: HtmlValue
  /** text of the save button; null if there is nothing to save */
  readonly button: string | null
  /** content next to the fields and buttons; it's inside the form element but isn't saved */
  readonly beside?: HtmlValue
  /** selectors of the elements that a preview updates; omitted if there is no preview */
  readonly into?: string
  /** true if the fields contain values that the server has rejected */
  readonly isRefused: boolean
}

export function editPage(page: EditPage): FrameContent {
  const { visit, found, tab, above, fields, button, beside, into, isRefused, help } = page
  const { check } = found
  const { href } = visit.site
  const { slug } = visit.actor.project
  const name = check.name === '' ? 'check without a name' : check.name
  const previewed =
    into !== undefined && html` data-preview="${previewHref(visit, found, tab)}" data-preview-into="${into}"`
  const acts = formActs(
    button === null ? null : { text: button, look: 'primary' },
    href(checkPath(slug, check.publicId)),
  )
  return {
    layout: 'frame',
    ...(help === undefined ? {} : { help }),
    title: `Edit ${tab}`,
    about: name,
    heading: html`Edit ${check.name === '' ? html`<span class="muted">no name</span>` : bdi(name)}`,
    crumbs: crumbsOf(visit, check),
    // Turn `autocomplete` off. Otherwise, a browser might restore typed text after a reload, and the text would not match the preview from
    // the server.
    body: html`${tabs(visit, found, tab)}${above}<form class="form edit" method="post" action="${href(editPath(slug, check.publicId, tab))}" autocomplete="off"${previewed}>
<div class="cols even"><div class="form" data-unsaved="${String(isRefused)}">${fields}
${acts}</div>${beside}</div>
</form>`,
  }
}

/** Returns the path of a tab's preview, including the SITE_ROOT path prefix. */
export function previewHref({ site, actor }: ProjectVisit, { check }: CheckWithChannels, tab: EditTab): string {
  return site.href(checkPath(actor.project.slug, check.publicId, `edit/${tab}/preview`))
}

const WORDS: Readonly<Record<EditTab, string>> = {
  details: 'Details',
  schedule: 'Schedule',
  rules: 'Rules',
  alerts: 'Alerts',
}

function tabs({ site, actor }: ProjectVisit, { check, channelIds }: CheckWithChannels, here: EditTab): Html {
  const numbers: Partial<Record<EditTab, number>> = { rules: rulesSet(check), alerts: channelIds.length }
  const links = EDIT_TABS.map((tab) => {
    const number = numbers[tab]
    const href = site.href(editPath(actor.project.slug, check.publicId, tab))
    return html`<a href="${href}"${tab === here && html` aria-current="page"`}>${WORDS[tab]}${number !== undefined && html` <small>${number || 'none'}</small>`}</a>`
  })
  return html`<nav class="tabs" aria-label="Edit">${links}</nav>`
}

/** Counts the rules that differ from a new check's defaults. */
function rulesSet(check: CheckSettings): number {
  const usual = membersOf(RULE_FIELDS, NEW_SETTINGS)
  const own = membersOf(RULE_FIELDS, check)
  return Object.keys(usual).filter((name) => own[name as keyof typeof own] !== usual[name as keyof typeof usual]).length
}
