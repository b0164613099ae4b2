/** What the fields of a schedule hold: read from a form or from a check, and made into what a check is given. */
import type { CheckSpec } from '../../../../domain/check/check.ts'
import { CHECK_KINDS, type CheckKind } from '../../../../domain/check/fields.ts'
import type { ReplayTiming } from '../../../../domain/preview/replay.ts'
import type { Form } from '../../form.ts'
import { type Span, spanOf, spanSeconds, unitName } from './span-field.ts'

/** As they were typed. */
export interface ScheduleValues {
  readonly kind: CheckKind
  readonly period: Span
  readonly cron: string
  readonly oncalendar: string
  readonly tz: string
  readonly grace: Span
}

/** @param tz of the account: the zone of a schedule that there is none of yet */
export function scheduleOf(check: ReplayTiming, tz: string): ScheduleValues {
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

/** What buttons beside the fields send, for browsers without the script. */
export const PREVIEW = { name: 'action', value: 'preview' } as const
export const USE_SUGGESTION = { name: 'action', value: 'use-suggestion' } as const

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

/** The fields of a form that give that timing, with their values. */
export function scheduleFormFields(timing: ReplayTiming): Readonly<Record<string, string>> {
  const { kind, schedule, tz } = timing
  const span = (name: string, { amount, unit }: Span) => ({ [name]: amount, [unitName(name)]: unit })
  return {
    kind,
    ...(kind === 'simple' ? span('period', spanOf(timing.timeoutSeconds)) : { [kind]: schedule, tz }),
    ...span('grace', spanOf(timing.graceSeconds)),
  }
}

/** What was typed, with that timing in its place. What it does not have stays. */
export function withTiming(typed: ScheduleValues, timing: ReplayTiming): ScheduleValues {
  const { kind, period, tz, grace, ...texts } = scheduleOf(timing, typed.tz)
  return kind === 'simple' ? { ...typed, kind, period, grace } : { ...typed, kind, [kind]: texts[kind], tz, grace }
}

/** A {@link CheckSpec} as it was typed: to be held against the schema. */
export type TypedSpec = { readonly [Name in keyof CheckSpec]?: unknown }

/** Only what the chosen kind has: a check keeps what it has of the others. */
export function scheduleSpec(values: ScheduleValues): TypedSpec {
  const { kind, period, grace, tz } = values
  const common = { grace: spanSeconds(grace) }
  return kind === 'simple' ? { ...common, timeout: spanSeconds(period) } : { ...common, schedule: values[kind], tz }
}
