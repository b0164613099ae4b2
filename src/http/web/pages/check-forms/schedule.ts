/** `/p/<project>/checks/<check>/schedule`. */
import type { Check, CheckSpec } from '../../../../domain/check/check.ts'
import { updateCheck } from '../../../../services/checks.ts'
import type { Deps } from '../../../../services/deps.ts'
import { checkPath } from '../../href.ts'
import { html } from '../../html.ts'
import { type FieldErrors, firstBad } from '../../parts/fields.ts'
import { SCHEDULE_FIELDS, type ScheduleValues, scheduleFields } from '../../parts/schedule-fields.ts'
import { readSchedule, scheduleOf, scheduleSpec } from '../../parts/schedule-values.ts'
import type { FrameContent, ProjectVisit } from '../../route.ts'
import { again, type CheckForm, checkFormPage, checkWords } from './check-form.ts'
import { specErrors } from './spec-errors.ts'

export function scheduleForm(deps: Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'log'>): CheckForm {
  return {
    word: 'schedule',
    show: ({ check }, visit) => schedulePage(visit, check, scheduleOf(check, visit.account.tz), {}),
    async act({ check }, visit) {
      const { actor, form } = visit
      const schedule = readSchedule(form)
      const spec = scheduleSpec(schedule)
      const errors = specErrors(spec, schedule)
      if (Object.keys(errors).length > 0) return again(schedulePage(visit, check, schedule, errors))
      await updateCheck(deps, actor, check, spec as CheckSpec, false)
      return { kind: 'redirect', to: checkPath(actor.project.slug, check.publicId), done: 'schedule-saved' }
    },
  }
}

function schedulePage(visit: ProjectVisit, check: Check, schedule: ScheduleValues, errors: FieldErrors): FrameContent {
  return checkFormPage({
    visit,
    check,
    word: 'schedule',
    title: 'Schedule',
    intro: html`When should ${checkWords(check)} be pinged, and how long does Overdue wait?`,
    fields: html`<section class="card"><div class="body">${scheduleFields(schedule, errors, firstBad(SCHEDULE_FIELDS, errors))}</div></section>`,
    button: { text: 'Save schedule', look: 'primary' },
  })
}
