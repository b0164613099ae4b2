/**
 * The Schedule tab: when a check expects pings. Next to the fields, the tab explains them, and shows which past runs would have been on
 * time, late or missing.
 */
import type { Check, CheckSpec } from '../../../../../domain/check/check.ts'
import type { CheckWithChannels } from '../../../../../domain/check/representation.ts'
import { updateCheck } from '../../../../../services/checks/checks.ts'
import { checkPath } from '../../../href.ts'
import { type HtmlValue, html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { type FieldErrors, firstBad, textField } from '../../../parts/forms/fields.ts'
import type { FrameContent, PageAnswer, ProjectVisit } from '../../../route.ts'
import { again } from '../../forms.ts'
import { type EditForm, editPage, previewHref } from '../edit-page.ts'
import { fillIn } from '../readings.ts'
import { PREVIEW, readSchedule, scheduleOf, scheduleSpec, USE_SUGGESTION, withTiming } from '../schedule-values.ts'
import { specErrors } from '../spec-errors.ts'
import { savingPart } from '../woken.ts'
import { SCHEDULE_FIELDS, scheduleFields } from './fields.ts'
import { type MeantSchedule, meaningFragment, meantSchedule } from './meaning.ts'
import { judgedCard, MEANING_PARTS, meaningCard } from './preview.ts'

export function scheduleForm(deps: PageDeps): EditForm {
  return {
    tab: 'schedule',
    async show(found, visit) {
      const { check } = found
      const filled = await fillIn(deps, visit, check, 'schedule', ({ methods }) => methods === undefined)
      const meant = await meantSchedule(deps, visit, check, scheduleOf(filled.check, visit.account.tz))
      return schedulePage({ visit, found, meant, above: filled.above, name: '', errors: {} })
    },
    async act(found, visit) {
      const { actor, form } = visit
      const { check } = found
      const action = form.text(PREVIEW.name)
      const values = readSchedule(form)
      const name = nameOf(check, visit, values.pasted?.name ?? '')
      const errors = specErrors({ name }, null)
      const meant = await meantSchedule(deps, visit, check, { ...values, pasted: null })
      const data = { visit, found, meant, name, errors }
      if (meant.meaning.kind === 'mistake' || errors.name !== undefined) return again(schedulePage(data))
      if (action !== '') return preview(deps, data, action)
      const spec = { ...scheduleSpec(values), ...(name === '' ? {} : { name }) }
      await updateCheck(deps, actor, check, spec as CheckSpec, false)
      return { kind: 'redirect', to: checkPath(actor.project.slug, check.publicId), done: 'schedule-saved' }
    },
    preview: async ({ check }, visit) =>
      meaningFragment(await meantSchedule(deps, visit, check, readSchedule(visit.form))),
  }
}

/**
 * Returns the new name for an unnamed check; '' leaves the name unchanged.
 * @param proposed name derived from a crontab line
 */
function nameOf(check: Check, { form }: ProjectVisit, proposed: string): string {
  return check.name === '' ? form.text('name').trim() || proposed : ''
}

/** Renders the page with the typed or suggested values. */
async function preview(deps: PageDeps, data: ScheduleData, action: string): Promise<PageAnswer> {
  const { visit, found, meant } = data
  const { meaning, typed } = meant
  const suggestion = meaning.kind === 'schedule' ? meaning.preview.suggestion : null
  if (action !== USE_SUGGESTION.value || suggestion === null) return schedulePage(data)
  const used = await meantSchedule(deps, visit, found.check, withTiming(typed.values, suggestion.timing))
  return schedulePage({ ...data, meant: used })
}

interface ScheduleData {
  readonly visit: ProjectVisit
  readonly found: CheckWithChannels
  readonly meant: MeantSchedule
  readonly above?: HtmlValue
  /** name that the user typed for a check without a name */
  readonly name: string
  /** error messages about the name */
  readonly errors: FieldErrors
}

function schedulePage({ visit, found, meant: { typed, meaning }, above, name, errors }: ScheduleData): FrameContent {
  const all = { ...errors, ...typed.errors }
  const focus = firstBad(['name', ...SCHEDULE_FIELDS], all)
  const named =
    found.check.name === '' &&
    textField({
      ...{ name: 'name', label: 'Name', value: name, help: 'This check has no name yet.' },
      ...{ error: errors.name, hasFocus: focus === 'name' },
    })
  const fields = scheduleFields(typed, focus, { path: previewHref(visit, found, 'schedule'), into: MEANING_PARTS })
  return editPage({
    visit,
    found,
    tab: 'schedule',
    above,
    help: 'schedules',
    fields: html`<section class="card"><div class="body form">${named}${fields}</div></section>
${savingPart(meaning.kind === 'mistake' ? null : { ...meaning, woken: meaning.preview.woken })}`,
    button: 'Save schedule',
    beside: html`<div class="stack">${judgedCard(meaning)}${meaningCard(meaning)}</div>`,
    isRefused: Object.keys(all).length > 0,
  })
}
