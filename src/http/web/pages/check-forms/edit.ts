/** `/p/<project>/checks/<check>/edit`: name, slug, tags, description, integrations. */
import type { Channel } from '../../../../domain/channel/channel.ts'
import type { Check, CheckSpec } from '../../../../domain/check/check.ts'
import { LABEL_FIELDS, membersOf } from '../../../../domain/check/fields.ts'
import { listChannels } from '../../../../services/channels/channels.ts'
import { updateCheck } from '../../../../services/checks/checks.ts'
import { checkPath, projectPath } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { type FieldErrors, firstBad } from '../../parts/forms/fields.ts'
import { integrationSwitches, noIntegrations } from '../../parts/forms/integration-switches.ts'
import { card } from '../../parts/lists.ts'
import type { FrameContent, ProjectVisit } from '../../route.ts'
import { again } from '../forms.ts'
import { ABOUT_FIELDS, type AboutValues, aboutFields, aboutSpec, readAbout } from './about.ts'
import { type CheckForm, checkFormPage, checkWords } from './check-form.ts'
import { askAboutSlug, askedField, findSlugTwin, slugTwinNote } from './slug-twin.ts'
import { specErrors } from './spec-errors.ts'

export function editForm(deps: PageDeps): CheckForm {
  const context = async (visit: ProjectVisit, check: Check) => ({
    visit,
    check,
    channels: await listChannels(deps, visit.actor),
    twin: await findSlugTwin(deps, visit.actor, check.slug, check.id),
  })
  return {
    word: 'edit',
    async show({ check, channelIds }, visit) {
      const about = { ...membersOf(LABEL_FIELDS, check), channelIds }
      return editPage({ ...(await context(visit, check)), about, errors: {}, asked: null })
    },
    async act({ check }, visit) {
      const { actor, form } = visit
      const data = await context(visit, check)
      const about = readAbout(form, data.channels)
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
  /** all of the project */
  readonly channels: readonly Channel[]
  readonly about: AboutValues
  readonly errors: FieldErrors
  /** the slug that the reader is asked about */
  readonly asked: string | null
}

function editPage({ visit, check, twin, channels, about, errors, asked }: EditData): FrameContent {
  const focus = firstBad(ABOUT_FIELDS, errors)
  return checkFormPage({
    visit,
    check,
    word: 'edit',
    title: 'Edit check',
    intro: html`Name, description and alerts of ${checkWords(check)}.`,
    above: twin && slugTwinNote(twin),
    fields: html`${card({ title: 'Details', body: html`<div class="form">${aboutFields(about, errors, { focus, suggestsSlug: false })}</div>` })}
${card({ title: 'Alerts go to', body: channels.length === 0 ? noIntegrations(visit.site.href(projectPath(visit.actor.project.slug, 'integrations'))) : html`<div class="picks">${integrationSwitches(channels, about.channelIds)}</div>` })}
${askedField(asked)}`,
    button: { text: 'Save check', look: 'primary' },
  })
}
