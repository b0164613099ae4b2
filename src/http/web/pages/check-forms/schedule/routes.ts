/**
 * `/p/<project>/checks/<check>/schedule`, with what the schedule means beside it. `…/schedule/preview` answers the script while
 * somebody types; without it a button shows the page again.
 */
import type { Check, CheckSpec } from '../../../../../domain/check/check.ts'
import { getCheckByPublicId, updateCheck } from '../../../../../services/checks/checks.ts'
import { checkPath } from '../../../href.ts'
import { type HtmlValue, html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { firstBad } from '../../../parts/forms/fields.ts'
import type { FrameContent, PageAnswer, ProjectVisit, Route } from '../../../route.ts'
import { again } from '../../forms.ts'
import { type CheckForm, checkFormPage, checkFormRoutes, checkWords } from '../check-form.ts'
import { fillIn } from '../readings.ts'
import { PREVIEW, readSchedule, scheduleOf, scheduleSpec, USE_SUGGESTION, withTiming } from '../schedule-values.ts'
import { savingPart } from '../woken.ts'
import { SCHEDULE_FIELDS, scheduleFields } from './fields.ts'
import { type MeantSchedule, meaningRoute, meantSchedule } from './meaning.ts'
import { MEANING_PARTS, meaningCard } from './preview.ts'

export function scheduleRoutes(deps: PageDeps): readonly Route[] {
  const find = async ({ actor, params }: ProjectVisit) =>
    (await getCheckByPublicId(deps, actor, params.check ?? '')).check
  return [...checkFormRoutes(deps, scheduleForm(deps)), meaningRoute(deps, 'checks/:check/schedule/preview', find)]
}

function scheduleForm(deps: PageDeps): CheckForm {
  return {
    word: 'schedule',
    async show({ check }, visit) {
      const filled = await fillIn(deps, visit, check, 'schedule', ({ methods }) => methods === undefined)
      const values = scheduleOf(filled.check, visit.account.tz)
      return schedulePage(visit, check, await meantSchedule(deps, visit, check, values), filled.above)
    },
    async act({ check }, visit) {
      const { actor, form } = visit
      const values = readSchedule(form)
      const action = form.text(PREVIEW.name)
      if (action !== '') return preview(deps, visit, check, action)
      const spec = scheduleSpec(values)
      const meant = await meantSchedule(deps, visit, check, values)
      if (meant.meaning.kind === 'mistake') return again(schedulePage(visit, check, meant))
      await updateCheck(deps, actor, check, spec as CheckSpec, false)
      return { kind: 'redirect', to: checkPath(actor.project.slug, check.publicId), done: 'schedule-saved' }
    },
  }
}

/** The page with what was typed, or with what was proposed for it. */
async function preview(deps: PageDeps, visit: ProjectVisit, check: Check, action: string): Promise<PageAnswer> {
  const values = readSchedule(visit.form)
  const meant = await meantSchedule(deps, visit, check, values)
  const { meaning } = meant
  if (meaning.kind === 'mistake') return again(schedulePage(visit, check, meant))
  const { suggestion } = meaning.preview
  if (action !== USE_SUGGESTION.value || suggestion === null) {
    return schedulePage(visit, check, meant)
  }
  const used = await meantSchedule(deps, visit, check, withTiming(values, suggestion.timing))
  return schedulePage(visit, check, used)
}

function schedulePage(
  visit: ProjectVisit,
  check: Check,
  { typed, meaning }: MeantSchedule,
  above: HtmlValue = null,
): FrameContent {
  const path = visit.site.href(checkPath(visit.actor.project.slug, check.publicId, 'schedule/preview'))
  const focus = firstBad(SCHEDULE_FIELDS, typed.errors)
  return checkFormPage({
    visit,
    check,
    word: 'schedule',
    above,
    help: 'schedules',
    title: 'Schedule',
    intro: html`When should ${checkWords(check)} be pinged, and how long does Overdue wait?`,
    fields: html`<section class="card"><div class="body">${scheduleFields(typed, focus, { path, into: MEANING_PARTS })}</div></section>
${savingPart(meaning.kind === 'mistake' ? null : { ...meaning, woken: meaning.preview.woken })}`,
    button: { text: 'Save schedule', look: 'primary' },
    beside: meaningCard(meaning),
  })
}
