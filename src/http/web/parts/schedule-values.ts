/** What the fields of a schedule hold: read from a form or from a check, and made into what a check is given. */
import { CHECK_KINDS, type CheckKind, type CheckSettings, type CheckSpec } from '../../../domain/check/check.ts'
import type { Form } from '../form.ts'
import type { ScheduleValues } from './schedule-fields.ts'
import { type Span, spanOf, spanSeconds, unitName } from './span-field.ts'

/** @param tz of the account: the zone of a schedule that there is none of yet */
export function scheduleOf(check: CheckSettings, tz: string): ScheduleValues {
  const { kind } = check
  return {
    kind,
    period: spanOf(check.timeoutSeconds),
    cron: kind === 'cron' ? check.schedule : '',
    oncalendar: kind === 'oncalendar' ? check.schedule : '',
    tz: kind === 'simple' ? tz : check.tz,
    grace: spanOf(check.graceSeconds),
  }
}

export function readSchedule(form: Form): ScheduleValues {
  const span = (name: string): Span => ({ amount: form.text(name).trim(), unit: form.text(unitName(name)) })
  return {
    kind: readKind(form.text('kind')),
    period: span('period'),
    cron: form.text('cron').trim(),
    oncalendar: form.text('oncalendar').replaceAll('\r\n', '\n').trim(),
    tz: form.text('tz').trim(),
    grace: span('grace'),
  }
}

function readKind(text: string): CheckKind {
  return CHECK_KINDS.find((kind) => kind === text) ?? 'simple'
}

/** A {@link CheckSpec} as it was typed: to be held against the schema. */
export type TypedSpec = { readonly [Name in keyof CheckSpec]?: unknown }

/** Only what the chosen kind has: a check keeps what it has of the others. */
export function scheduleSpec(values: ScheduleValues): TypedSpec {
  const { kind, period, grace, tz } = values
  const common = { grace: spanSeconds(grace) }
  return kind === 'simple' ? { ...common, timeout: spanSeconds(period) } : { ...common, schedule: values[kind], tz }
}
