/** Reads a planned window's fields from a form, and converts mistakes to messages for the fields. */
import { PLAN_KINDS, type PlanMistakes, type TypedPlan } from '../../../../../domain/silence/typed-plan.ts'
import type { Form } from '../../../form.ts'
import type { FieldErrors } from '../../../parts/forms/fields.ts'
import { readWindowFields, windowErrors, windowFieldNames } from '../../../parts/forms/window-fields.ts'

export const PLAN = {
  kind: 'kind',
  startDay: 'start-day',
  startTime: 'start-time',
  endDay: 'end-day',
  endTime: 'end-time',
  lastDay: 'last-day',
} as const
/** Prefix for the names of the fields of a recurring window. */
export const WINDOW = 'window-'

/** Names of the fields that may contain mistakes, in display order. */
export const PLAN_FIELDS = [PLAN.startDay, PLAN.endDay, ...windowFieldNames(WINDOW), PLAN.lastDay, 'reason']

export function readPlanForm(form: Form): TypedPlan {
  const kind = PLAN_KINDS.find((each) => each === form.text(PLAN.kind)) ?? 'once'
  return {
    kind,
    startDay: form.text(PLAN.startDay),
    startTime: form.text(PLAN.startTime),
    endDay: form.text(PLAN.endDay),
    endTime: form.text(PLAN.endTime),
    window: readWindowFields(form, WINDOW),
    lastDay: form.text(PLAN.lastDay),
  }
}

export function planErrors({ start, end, lastDay, window = {} }: PlanMistakes): FieldErrors {
  return {
    ...(start !== undefined && { [PLAN.startDay]: start }),
    ...(end !== undefined && { [PLAN.endDay]: end }),
    ...(lastDay !== undefined && { [PLAN.lastDay]: lastDay }),
    ...windowErrors(WINDOW, window),
  }
}
