/** The Details tab: a check's name, slug, tags and description. */
import type { Check } from '../../../../../domain/check/check.ts'
import { LABEL_FIELDS, membersOf } from '../../../../../domain/check/fields.ts'
import type { CheckWithChannels } from '../../../../../domain/check/representation.ts'
import { updateCheck } from '../../../../../services/checks/checks.ts'
import { checkPath } from '../../../href.ts'
import { html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { type FieldErrors, firstBad } from '../../../parts/forms/fields.ts'
import { card } from '../../../parts/lists.ts'
import type { FrameContent, ProjectVisit } from '../../../route.ts'
import { again } from '../../forms.ts'
import { ABOUT_FIELDS, type AboutValues, aboutFields, readAbout } from '../about.ts'
import { type EditForm, editPage } from '../edit-page.ts'
import { askAboutSlug, askedField, findSlugTwin, slugTwinNote } from '../slug-twin.ts'
import { specErrors } from '../spec-errors.ts'

export function detailsForm(deps: PageDeps): EditForm {
  const twinOf = ({ actor }: ProjectVisit, { slug, id }: Check) => findSlugTwin(deps, actor, slug, id)
  return {
    tab: 'details',
    async show(found, visit) {
      const about = membersOf(LABEL_FIELDS, found.check)
      return detailsPage({ visit, found, about, twin: await twinOf(visit, found.check), errors: {}, asked: null })
    },
    async act(found, visit) {
      const { actor, form } = visit
      const { check } = found
      const about = readAbout(form)
      const slug = await askAboutSlug(deps, visit, about.slug, check)
      const errors = { ...slug.errors, ...specErrors(about, null) }
      if (Object.keys(errors).length > 0) {
        const twin = await twinOf(visit, check)
        return again(detailsPage({ visit, found, about, twin, errors, asked: slug.asked }))
      }
      await updateCheck(deps, actor, check, about, false)
      return { kind: 'redirect', to: checkPath(actor.project.slug, check.publicId), done: 'saved' }
    },
  }
}

interface DetailsData {
  readonly visit: ProjectVisit
  readonly found: CheckWithChannels
  readonly about: AboutValues
  /** another check with the same slug; null if there is none */
  readonly twin: Check | null
  readonly errors: FieldErrors
  /** slug that the form asks the user to confirm; null if no confirmation is needed */
  readonly asked: string | null
}

function detailsPage({ visit, found, about, twin, errors, asked }: DetailsData): FrameContent {
  const focus = firstBad(ABOUT_FIELDS, errors)
  return editPage({
    visit,
    found,
    tab: 'details',
    above: twin && slugTwinNote(twin),
    fields: html`${card({ title: 'Details', body: html`<div class="form">${aboutFields(about, errors, { focus, suggestsSlug: false })}</div>` })}
${askedField(asked)}`,
    button: 'Save details',
    isRefused: Object.keys(errors).length > 0,
  })
}
