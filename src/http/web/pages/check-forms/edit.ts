/** `/p/<project>/checks/<check>/edit`: name, slug, tags, description, integrations. */
import type { Woken } from '../../../../domain/advice/woken.ts'
import { messagesSentence } from '../../../../domain/advice/woken-sentence.ts'
import { type Channel, countHearing } from '../../../../domain/channel/channel.ts'
import type { Check, CheckSpec } from '../../../../domain/check/check.ts'
import { LABEL_FIELDS, membersOf } from '../../../../domain/check/fields.ts'
import type { CheckWithChannels } from '../../../../domain/check/representation.ts'
import { presentAlerts } from '../../../../services/advice/try-change.ts'
import { listChannels } from '../../../../services/channels/channels.ts'
import { getCheckByPublicId, updateCheck } from '../../../../services/checks/checks.ts'
import { checkPath, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { type FieldErrors, firstBad } from '../../parts/forms/fields.ts'
import { integrationSwitches, noIntegrations } from '../../parts/forms/integration-switches.ts'
import { card } from '../../parts/lists.ts'
import { sentenceHtml, type Zone } from '../../parts/words/sentence.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { again } from '../forms.ts'
import { projectRoute } from '../new-route.ts'
import { ABOUT_FIELDS, type AboutValues, aboutFields, aboutSpec, readAbout } from './about.ts'
import { CHECK_FORM_LIMIT, type CheckForm, checkFormPage, checkFormRoutes, checkWords } from './check-form.ts'
import { askAboutSlug, askedField, findSlugTwin, slugTwinNote } from './slug-twin.ts'
import { specErrors } from './spec-errors.ts'

export function editRoutes(deps: PageDeps): readonly Route[] {
  const tell = async (visit: ProjectVisit): Promise<PageAnswer> => {
    const { actor, params, form } = visit
    const found = await getCheckByPublicId(deps, actor, params.check ?? '')
    const told = await toldOf(deps, visit, found)
    const { channelIds } = readAbout(form, told.channels)
    return { kind: 'fragment', fragment: toldPart(told, channelIds) }
  }
  return [
    ...checkFormRoutes(deps, editForm(deps)),
    projectRoute('POST', 'checks/:check/edit/told', 'write', tell, { formLimit: CHECK_FORM_LIMIT }),
  ]
}

function editForm(deps: PageDeps): CheckForm {
  const context = async (visit: ProjectVisit, found: CheckWithChannels) => ({
    visit,
    check: found.check,
    told: await toldOf(deps, visit, found),
    twin: await findSlugTwin(deps, visit.actor, found.check.slug, found.check.id),
  })
  return {
    word: 'edit',
    async show(found, visit) {
      const about = { ...membersOf(LABEL_FIELDS, found.check), channelIds: found.channelIds }
      return editPage({ ...(await context(visit, found)), about, errors: {}, asked: null })
    },
    async act(found, visit) {
      const { actor, form } = visit
      const { check } = found
      const data = await context(visit, found)
      const about = readAbout(form, data.told.channels)
      const spec = aboutSpec(about)
      const slug = await askAboutSlug(deps, visit, about.slug, check)
      const errors = { ...slug.errors, ...specErrors(spec, null) }
      if (Object.keys(errors).length > 0) return again(editPage({ ...data, about, errors, asked: slug.asked }))
      await updateCheck(deps, actor, check, spec as CheckSpec, false)
      return { kind: 'redirect', to: checkPath(actor.project.slug, check.publicId), done: 'saved' }
    },
  }
}

interface EditData {
  readonly visit: ProjectVisit
  readonly check: Check
  /** another check with the slug that this one has */
  readonly twin: Check | null
  readonly told: Told
  readonly about: AboutValues
  readonly errors: FieldErrors
  /** the slug that the reader is asked about */
  readonly asked: string | null
}

function editPage({ visit, check, twin, told, about, errors, asked }: EditData): FrameContent {
  const { href } = visit.site
  const { slug } = visit.actor.project
  const { channels } = told
  const focus = firstBad(ABOUT_FIELDS, errors)
  return checkFormPage({
    visit,
    check,
    word: 'edit',
    title: 'Edit check',
    intro: html`Name, description and alerts of ${checkWords(check)}.`,
    above: twin && slugTwinNote(twin),
    fields: html`${card({ title: 'Details', body: html`<div class="form">${aboutFields(about, errors, { focus, suggestsSlug: false })}</div>` })}
${card({ title: 'Alerts go to', body: channels.length === 0 ? noIntegrations(href(projectPath(slug, 'integrations'))) : html`<div class="picks">${integrationSwitches(channels, about.channelIds)}</div>${toldPart(told, about.channelIds)}` })}
${askedField(asked)}`,
    button: { text: 'Save check', look: 'primary' },
    preview: { path: href(checkPath(slug, check.publicId, 'edit/told')), into: '#told' },
  })
}

/** Integrations that hear of the check now, and how often they would have. */
interface Told extends Zone {
  /** all of the project */
  readonly channels: readonly Channel[]
  /** ids of those that the check has */
  readonly present: readonly string[]
  readonly woken: Woken
}

async function toldOf(deps: PageDeps, visit: ProjectVisit, { check, channelIds }: CheckWithChannels): Promise<Told> {
  const { actor, account } = visit
  const [channels, woken] = await Promise.all([listChannels(deps, actor), presentAlerts(deps, actor, check)])
  return { channels, present: channelIds, woken, now: deps.now(), tz: account.tz }
}

/** @param chosen ids of the integrations that are on */
function toldPart(told: Told, chosen: readonly string[]): Html {
  const { channels, present, woken } = told
  const words = messagesSentence(woken, countHearing(present, channels), countHearing(chosen, channels))
  return html`<div id="told" role="status">${words.length > 0 && html`<p class="help">${sentenceHtml(words, told)}</p>`}</div>`
}
