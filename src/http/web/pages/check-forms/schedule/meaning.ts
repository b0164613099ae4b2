/**
 * Explains the schedule that the user typed, or finds the mistakes in it. Every page with schedule fields calls this when it is rendered,
 * and again for each request that the script sends while the user types.
 */

import type { Check, CheckSpec } from '../../../../../domain/check/check.ts'
import { runMarks } from '../../../../../domain/check/run-history.ts'
import { changedTiming } from '../../../../../domain/preview/schedule-preview.ts'
import { previewSchedule } from '../../../../../services/advice/schedule-preview.ts'
import { tryRhythm } from '../../../../../services/overview/rhythm.ts'
import { type Html, html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { firstMistake } from '../../../parts/forms/fields.ts'
import type { ProjectVisit } from '../../../route.ts'
import { type ScheduleValues, scheduleSpec } from '../schedule-values.ts'
import { specErrors } from '../spec-errors.ts'
import { savingPart } from '../woken.ts'
import { belowScheduleFields, SCHEDULE_FIELDS, SCHEDULE_LABELS, type TypedSchedule } from './fields.ts'
import { judgedCard, meaningParts, type ScheduleMeaning } from './preview.ts'

/** The values of the schedule fields, and what they mean. */
export interface MeantSchedule {
  readonly typed: TypedSchedule
  readonly meaning: ScheduleMeaning
}

/** @param check the check that the schedule belongs to; null for a new check */
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
  const shownZone = timing.kind === 'simple' ? tz : timing.tz
  const rhythm = check && (await tryRhythm(deps, visit.actor, check, timing, shownZone))
  const lastRun = check?.lastPingAt ?? null
  return { typed, meaning: { kind: 'schedule', timing, preview, rhythm, lastRun, hasLog: check !== null, now, tz } }
}

function longestRun(check: Check | null): number | null {
  const durations = check === null ? [] : runMarks(check.runs).map(({ duration }) => duration ?? 0)
  return Math.max(0, ...durations) || null
}

/** Renders the parts of the page that change while the user types. */
export function meaningFragment({ typed, meaning }: MeantSchedule): Html {
  return html`${meaningParts(meaning)}${meaning.kind === 'schedule' && html`${judgedCard(meaning)}${savingPart({ ...meaning, woken: meaning.preview.woken })}`}${belowScheduleFields(typed)}`
}
