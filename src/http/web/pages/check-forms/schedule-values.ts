/** The values of a schedule's fields: read from a form or from a check, and converted to a check's settings. */
import type { CheckSpec } from '../../../../domain/check/check.ts'
import { CHECK_KINDS, type CheckKind } from '../../../../domain/check/fields.ts'
import type { ReplayTiming } from '../../../../domain/preview/replay.ts'
import { readCrontabLine } from '../../../../domain/schedule/typed/crontab-line.ts'
import { jobOf } from '../../../../import/proposals/command/job-name.ts'
import type { Form } from '../../form.ts'
import { type Span, spanOf, spanSeconds, unitName } from './span-field.ts'

/** The typed values of the form. */
export interface ScheduleValues {
  readonly kind: CheckKind
  readonly period: Span
  readonly cron: string
  readonly oncalendar: string
  readonly tz: string
  readonly grace: Span
  /** the crontab line from which `cron` was read; null: only an expression was typed */
  readonly pasted: PastedLine | null
}

interface PastedLine {
  /** five fields, or a word such as `@daily` */
  readonly schedule: string
  /** name of the job that its command runs; null: the form asks for no name, or has one */
  readonly name: string | null
}

/** @param tz zone of the account, used for a schedule without a zone */
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

/** Fields of the buttons next to the fields, for browsers without the script. */
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
  // A crontab of the system names the user first.
  const name = isNameless ? jobOf(line.command.replace(/^root[ \t]+/, '')).name : null
  return { schedule: line.schedule, name }
}

function readKind(text: string): CheckKind {
  return CHECK_KINDS.find((kind) => kind === text) ?? 'simple'
}

/** Returns the fields of a form that describe the timing, with their values. */
export function scheduleFormFields(timing: ReplayTiming): Readonly<Record<string, string>> {
  const { kind, schedule, tz } = timing
  const span = (name: string, { amount, unit }: Span) => ({ [name]: amount, [unitName(name)]: unit })
  return {
    kind,
    ...(kind === 'simple' ? span('period', spanOf(timing.timeoutSeconds)) : { [kind]: schedule, tz }),
    ...span('grace', spanOf(timing.graceSeconds)),
  }
}

/** Returns the typed values with `timing` filled in; other fields are unchanged. */
export function withTiming(typed: ScheduleValues, timing: ReplayTiming): ScheduleValues {
  const { kind, period, tz, grace, pasted, ...texts } = scheduleOf(timing, typed.tz)
  const common = { ...typed, kind, grace, pasted }
  return kind === 'simple' ? { ...common, period } : { ...common, [kind]: texts[kind], tz }
}

/** A typed {@link CheckSpec}, to be validated against the schema. */
export type TypedSpec = { readonly [Name in keyof CheckSpec]?: unknown }

/** Returns the settings of the chosen kind only: a check keeps its settings of the other kinds. */
export function scheduleSpec(values: ScheduleValues): TypedSpec {
  const { kind, period, grace, tz } = values
  const common = { grace: spanSeconds(grace) }
  return kind === 'simple' ? { ...common, timeout: spanSeconds(period) } : { ...common, schedule: values[kind], tz }
}
