/**
 * `/p/<project>/checks/bulk/schedule?c=…`: changes the settings of several checks. The list of checks posts the selected checks to this
 * page. The form contains a stamp for each check, so that it cannot overwrite changes that another user has made in the meantime.
 */
import { stampOf } from '../../../../domain/bulk/edit.ts'
import type { Channel } from '../../../../domain/channel/channel.ts'
import type { CheckWithChannels } from '../../../../domain/check/representation.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { changeSettings, readSelected, SETTINGS_CHECKS_LIMIT, trySettings } from '../../../../services/bulk/settings.ts'
import { listChannels } from '../../../../services/channels/channels.ts'
import { projectPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { formActs, submit } from '../../parts/forms/buttons.ts'
import { firstMistake, hiddenField } from '../../parts/forms/fields.ts'
import { alertNote } from '../../parts/notes.ts'
import type { Done } from '../../parts/toast.ts'
import { bdi, counted, sentence } from '../../parts/words/text.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { PREVIEW } from '../check-forms/schedule-values.ts'
import { BULK_FORM_LIMIT, readMatch, readMatching } from '../checks/bulk.ts'
import { searchOf } from '../checks/query.ts'
import { again } from '../forms.ts'
import { projectRoute } from '../new-route.ts'
import { CHANGES, type Changes, changesPart } from './changes.ts'
import { settingsFields, type TypedSettings } from './form.ts'
import { editOf, FIELD_NAMES, LABELS, NO_CHANGE, readValues } from './values.ts'

const PATH = 'checks/bulk/schedule'

export function bulkSettingsRoutes(deps: PageDeps): readonly Route[] {
  const long =
    (answer: (visit: ProjectVisit) => Promise<PageAnswer>) =>
    (visit: ProjectVisit): Promise<PageAnswer> =>
      deps.longReads.during(visit.person, () => answer(visit))
  const rules = { formLimit: BULK_FORM_LIMIT }
  return [
    projectRoute(
      'GET',
      PATH,
      'write',
      long(async (visit) => show(deps, visit, visit.url.searchParams.getAll('c'))),
    ),
    projectRoute(
      'POST',
      PATH,
      'write',
      long((visit) => act(deps, visit)),
      rules,
    ),
    projectRoute(
      'POST',
      `${PATH}/preview`,
      'write',
      long((visit) => preview(deps, visit)),
      rules,
    ),
  ]
}

/** Shows the empty form. */
async function show(deps: PageDeps, visit: ProjectVisit, publicIds: readonly string[]): Promise<PageAnswer> {
  requireFew(publicIds)
  const channels = await listChannels(deps, visit.actor)
  return page(deps, visit, {
    checks: await readSelected(deps, visit.actor, publicIds),
    channels,
    typed: { values: NO_CHANGE, errors: {} },
    problem: null,
  })
}

/** @throws Refusal `too-large` */
function requireFew({ length }: readonly string[]): void {
  if (length <= SETTINGS_CHECKS_LIMIT) return
  const most = SETTINGS_CHECKS_LIMIT.toLocaleString('en')
  const words = `at most ${most} checks can be changed at once: filter the list, and change the checks in several steps`
  throw new Refusal('too-large', words, { limit: SETTINGS_CHECKS_LIMIT })
}

async function act(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, form } = visit
  const action = form.text(PREVIEW.name)
  // The list of checks has posted the selection, but the user has not filled in the form yet.
  if (!form.has('seen')) return show(deps, visit, await readMatching(deps, visit, readMatch(form)))
  const asked = await readForm(deps, visit)
  if (Object.keys(asked.typed.errors).length > 0) return again(await page(deps, visit, asked))
  if (action === PREVIEW.value) return page(deps, visit, asked)
  const to = projectPath(actor.project.slug, 'checks') + searchOf(readMatch(form))
  try {
    const { changed, left, undo } = await changeSettings(deps, actor, asked.seen, editOf(asked.typed.values).edit)
    const done: Done =
      changed === 0 ? { code: 'nothing-changed' } : { code: 'checks-changed', count: changed, left, undo }
    return { kind: 'redirect', to, done }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'checks-changed') throw error
    return { kind: 'page', status: 409, page: await page(deps, visit, { ...asked, problem: problemHtml(error) }) }
  }
}

function problemHtml({ message, data }: Refusal): Html {
  const problems = data.problems ?? []
  return html`${sentence(message)} The list below shows the checks as they are now.${problems.map((words) => html`<br>${bdi(words)}`)}`
}

async function preview(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const asked = await readForm(deps, visit)
  return { kind: 'fragment', fragment: await changesOf(deps, visit, asked) }
}

interface Asked {
  readonly checks: readonly CheckWithChannels[]
  readonly channels: readonly Channel[]
  readonly typed: TypedSettings
  /** reason why nothing was changed */
  readonly problem: HtmlValue
}

async function readForm(
  deps: PageDeps,
  { actor, form }: ProjectVisit,
): Promise<Asked & { readonly seen: ReadonlyMap<string, string> }> {
  const channels = await listChannels(deps, actor)
  const seen = new Map(form.list('seen').map(readSeen))
  requireFew([...seen.keys()])
  const values = readValues(form, channels)
  const checks = await readSelected(deps, actor, [...seen.keys()])
  return { checks, channels, typed: { values, errors: editOf(values).errors }, problem: null, seen }
}

/** Splits a field into a public id and a stamp. */
function readSeen(text: string): readonly [publicId: string, stamp: string] {
  const [publicId = '', stamp = ''] = text.split('.')
  return [publicId, stamp]
}

async function changesOf(deps: PageDeps, { actor }: ProjectVisit, { checks, channels, typed }: Asked): Promise<Html> {
  const { values, errors } = typed
  const mistake = firstMistake(FIELD_NAMES, (name) => LABELS[name], errors)
  const { edit } = mistake === null ? editOf(values) : { edit: {} }
  const changes: Changes = { tried: await trySettings(deps, actor, checks, edit), channels }
  return changesPart(changes, mistake)
}

async function page(deps: PageDeps, visit: ProjectVisit, asked: Asked): Promise<FrameContent> {
  const { checks, problem } = asked
  const search = searchOf(readMatch(visit.form))
  const back = projectPath(visit.actor.project.slug, 'checks') + search
  const things = counted(checks.length, 'check', 'checks')
  const form =
    checks.length === 0
      ? html`<p class="muted">None of these checks is in this project. Select checks in the list.</p>`
      : await settingsForm(deps, visit, asked, { search, back, things })
  return {
    layout: 'frame',
    title: checks.length === 0 ? 'Change schedule or grace' : `Change schedule or grace of ${things}`,
    crumbs: [{ path: back, text: 'Checks' }],
    isNarrow: true,
    body: html`${problem && alertNote(problem)}${form}`,
  }
}

interface Place {
  /** the list's filter, as a URL query string */
  readonly search: string
  /** path of the list of checks */
  readonly back: string
  /** number of checks followed by the noun, such as `3 checks` */
  readonly things: string
}

async function settingsForm(
  deps: PageDeps,
  visit: ProjectVisit,
  asked: Asked,
  { search, back, things }: Place,
): Promise<Html> {
  const { checks, channels, typed } = asked
  const path = visit.site.href(projectPath(visit.actor.project.slug, PATH))
  const seen = checks.map((found) => hiddenField('seen', `${found.check.publicId}.${stampOf(found)}`))
  const acts = formActs(
    { text: `Change ${things}`, look: 'primary', field: { name: PREVIEW.name, value: 'save' } },
    visit.site.href(back),
    html`<noscript>${submit({ text: 'Preview', label: 'Preview changes', field: PREVIEW })}</noscript>`,
  )
  return html`<form class="form bulk-settings" method="post" action="${path}" autocomplete="off" data-preview="${path}/preview" data-preview-into="${CHANGES}">
${hiddenField('match', search)}${seen}
${settingsFields(typed, channels)}
${await changesOf(deps, visit, asked)}
<p class="help">You can undo this for an hour.</p>
${acts}
</form>`
}
