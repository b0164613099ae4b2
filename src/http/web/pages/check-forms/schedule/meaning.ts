/** Meaning of a typed schedule, or its mistakes. For the pages with its fields, and for the script while somebody types. */

import type { Check, CheckSpec } from '../../../../../domain/check/check.ts'
import { runMarks } from '../../../../../domain/check/run-history.ts'
import { changedTiming } from '../../../../../domain/preview/schedule-preview.ts'
import { previewSchedule } from '../../../../../services/advice/schedule-preview.ts'
import { type Html, html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { firstMistake } from '../../../parts/forms/fields.ts'
import type { PageAnswer, ProjectVisit, Route } from '../../../route.ts'
import { projectRoute } from '../../new-route.ts'
import { CHECK_FORM_LIMIT } from '../check-form.ts'
import { readSchedule, type ScheduleValues, scheduleSpec } from '../schedule-values.ts'
import { specErrors } from '../spec-errors.ts'
import { savingPart } from '../woken.ts'
import { belowScheduleFields, SCHEDULE_FIELDS, SCHEDULE_LABELS, type TypedSchedule } from './fields.ts'
import { meaningParts, type ScheduleMeaning } from './preview.ts'

/** Fields of a schedule and what they mean. */
export interface MeantSchedule {
  readonly typed: TypedSchedule
  readonly meaning: ScheduleMeaning
}

/** @param check that gets the schedule; null for a new one */
export async function meantSchedule(
  deps: PageDeps,
  visit: ProjectVisit,
  check: Check | null,
  values: ScheduleValues,
): Promise<MeantSchedule> {
  const spec = scheduleSpec(values)
  const errors = specErrors(spec, values)
  const now = deps.now()
  const typed = { values, errors, now, longestRun: longestRun(check) }
  const mistake = firstMistake(SCHEDULE_FIELDS, (name) => SCHEDULE_LABELS[name], errors)
  if (mistake !== null) return { typed, meaning: { kind: 'mistake', words: mistake } }
  const { tz } = visit.account
  const timing = changedTiming(check, spec as CheckSpec)
  const preview = await previewSchedule(deps, visit.actor, check, timing, [tz])
  const lastRun = check?.lastPingAt ?? null
  return { typed, meaning: { kind: 'schedule', timing, preview, lastRun, hasLog: check !== null, now, tz } }
}

function longestRun(check: Check | null): number | null {
  const durations = check === null ? [] : runMarks(check.runs).map(({ duration }) => duration ?? 0)
  return Math.max(0, ...durations) || null
}

/** Answers the script. @param find the check that gets the schedule; null for a new one */
export function meaningRoute(
  deps: PageDeps,
  path: string,
  find: (visit: ProjectVisit) => Promise<Check | null>,
): Route {
  const answer = async (visit: ProjectVisit): Promise<PageAnswer> => {
    const meant = await meantSchedule(deps, visit, await find(visit), readSchedule(visit.form))
    return { kind: 'fragment', fragment: fragment(meant) }
  }
  return projectRoute('POST', path, 'write', answer, { formLimit: CHECK_FORM_LIMIT })
}

function fragment({ typed, meaning }: MeantSchedule): Html {
  return html`${meaningParts(meaning)}${meaning.kind === 'schedule' && savingPart({ ...meaning, woken: meaning.preview.woken })}${belowScheduleFields(typed)}`
}
