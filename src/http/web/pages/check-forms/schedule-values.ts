/** The values in the schedule fields. They can be read from a form or a check, and converted to check settings. */
import type { CheckSpec } from '../../../../domain/check/check.ts'
import { CHECK_KINDS, type CheckKind } from '../../../../domain/check/fields.ts'
import type { ReplayTiming } from '../../../../domain/preview/replay.ts'
import { readCrontabLine } from '../../../../domain/schedule/typed/crontab-line.ts'
import { jobOf } from '../../../../import/proposals/command/job-name.ts'
import type { Form } from '../../form.ts'
import { type Span, spanOf, spanSeconds, unitName } from './span-field.ts'

/** The values that the user typed into the form. */
export interface ScheduleValues {
  readonly kind: CheckKind
  readonly period: Span
  readonly cron: string
  readonly oncalendar: string
  readonly tz: string
  readonly grace: Span
  /** the crontab line that `cron` was read from; null if the user typed only an expression */
  readonly pasted: PastedLine | null
}

interface PastedLine {
  /** cron expression: five fields, or a word such as `@daily` */
  readonly schedule: string
  /** the job's name, derived from its command; null if the form needs no name or already has one */
  readonly name: string | null
}

/** @param tz the account's time zone, used if the schedule has none */
export function scheduleOf(check: ReplayTiming, tz: string): ScheduleValues {
  const { kind } = check
  return {
    kind,
    period: spanOf(check.timeoutSeconds),
    cron: kind === 'cron' ? check.schedule : '',
    oncalendar: kind === 'oncalendar' ? check.schedule : '',
    tz: kind === 'simple' ? tz : check.tz,
    grace: spanOf(check.graceSeconds),
    pasted: null,
  }
}

/** Form fields that the preview and fill-in buttons submit if the browser does not run JavaScript. */
export const PREVIEW = { name: 'action', value: 'preview' } as const
export const USE_SUGGESTION = { name: 'action', value: 'use-suggestion' } as const

export function readSchedule(form: Form): ScheduleValues {
  const span = (name: string): Span => ({ amount: form.text(name).trim(), unit: form.text(unitName(name)) })
  const cron = form.text('cron').trim()
  const pasted = pastedIn(cron, form)
  return {
    kind: readKind(form.text('kind')),
    period: span('period'),
    cron: pasted?.schedule ?? cron,
    oncalendar: form.text('oncalendar').replaceAll('\r\n', '\n').trim(),
    tz: form.text('tz').trim(),
    grace: span('grace'),
    pasted,
  }
}

function pastedIn(typed: string, form: Form): PastedLine | null {
  const line = readCrontabLine(typed)
  if (line === null) return null
  const isNameless = form.has('name') && form.text('name').trim() === ''
  // In a system crontab, a user name precedes the command.
  const name = isNameless ? jobOf(line.command.replace(/^root[ \t]+/, '')).name : null
  return { schedule: line.schedule, name }
}

function readKind(text: string): CheckKind {
  return CHECK_KINDS.find((kind) => kind === text) ?? 'simple'
}

/** Converts a timing to form field values. */
export function scheduleFormFields(timing: ReplayTiming): Readonly<Record<string, string>> {
  const { kind, schedule, tz } = timing
  const span = (name: string, { amount, unit }: Span) => ({ [name]: amount, [unitName(name)]: unit })
  return {
    kind,
    ...(kind === 'simple' ? span('period', spanOf(timing.timeoutSeconds)) : { [kind]: schedule, tz }),
    ...span('grace', spanOf(timing.graceSeconds)),
  }
}

/** Returns the values with `timing` filled in. The other fields are unchanged. */
export function withTiming(typed: ScheduleValues, timing: ReplayTiming): ScheduleValues {
  const { kind, period, tz, grace, pasted, ...texts } = scheduleOf(timing, typed.tz)
  const common = { ...typed, kind, grace, pasted }
  return kind === 'simple' ? { ...common, period } : { ...common, [kind]: texts[kind], tz }
}

/** A {@link CheckSpec} as the user typed it, which still has to be validated against the schema. */
export type TypedSpec = { readonly [Name in keyof CheckSpec]?: unknown }

/** Returns only the settings for the selected kind. The check keeps its stored settings for the other kinds. */
export function scheduleSpec(values: ScheduleValues): TypedSpec {
  const { kind, period, grace, tz } = values
  const common = { grace: spanSeconds(grace) }
  return kind === 'simple' ? { ...common, timeout: spanSeconds(period) } : { ...common, schedule: values[kind], tz }
}
