/** The values in the form's fields, and the settings change that they describe. */
import type { SettingsEdit } from '../../../../domain/bulk/edit.ts'
import type { Channel } from '../../../../domain/channel/channel.ts'
import { isTag, splitTags, TAGS_LIMIT } from '../../../../domain/check/tags.ts'
import { MOVE_LIMIT } from '../../../../domain/schedule/move-schedule.ts'
import { periodSeconds } from '../../../../domain/schedule/typed/period-text.ts'
import { scheduleError } from '../../../../domain/schedule/typed/typed-schedule.ts'
import type { Form } from '../../form.ts'
import type { FieldErrors } from '../../parts/forms/fields.ts'
import { readIntegrations } from '../../parts/forms/integration-switches.ts'
import type { TypedSpec } from '../check-forms/schedule-values.ts'
import { type Span, spanSeconds, unitName } from '../check-forms/span-field.ts'
import { specErrors } from '../check-forms/spec-errors.ts'

/** Options for the accepted methods. The first option leaves the checks unchanged. */
const METHODS = ['keep', 'any', 'POST'] as const
const ALERTS = ['keep', 'set'] as const

/** The values that the user typed into the form. An empty field leaves the checks unchanged. */
export interface SettingsValues {
  /** number of minutes to shift the schedules by */
  readonly move: string
  readonly direction: 'later' | 'earlier'
  /** cron expression, OnCalendar expression or interval */
  readonly expression: string
  readonly span: Span
  readonly tz: string
  readonly methods: (typeof METHODS)[number]
  readonly alerts: (typeof ALERTS)[number]
  /** ids of the selected channels */
  readonly channels: readonly string[]
  readonly addTags: string
  readonly removeTags: string
}

export const NO_CHANGE: SettingsValues = {
  move: '',
  direction: 'later',
  expression: '',
  span: { amount: '', unit: 'hours' },
  tz: '',
  methods: 'keep',
  alerts: 'keep',
  channels: [],
  addTags: '',
  removeTags: '',
}

export function readValues(form: Form, channels: readonly Channel[]): SettingsValues {
  const text = (name: string) => form.text(name).trim()
  const choice = <Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]): Choice =>
    choices.find((each) => each === form.text(name)) ?? choices[0]
  return {
    move: text('move'),
    direction: choice('direction', ['later', 'earlier']),
    expression: form.text('expression').replaceAll('\r\n', '\n').trim(),
    span: { amount: text('span'), unit: form.text(unitName('span')) },
    tz: text('tz'),
    methods: choice('methods', METHODS),
    alerts: choice('alerts', ALERTS),
    channels: readIntegrations(form, channels),
    addTags: text('add-tags'),
    removeTags: text('remove-tags'),
  }
}

/** Labels for error messages, by the name of the field that contains the mistake. */
export const LABELS = {
  move: 'Minutes',
  expression: 'Schedule',
  span: 'Grace time',
  tz: 'Time zone',
  alerts: 'Alerts',
  'add-tags': 'Add tags',
  'remove-tags': 'Remove tags',
} as const
export type FieldName = keyof typeof LABELS
export const FIELD_NAMES = Object.keys(LABELS) as FieldName[]

/** Returns the change that the values describe, along with error messages. The change is valid only if there are no errors. */
export function editOf(values: SettingsValues): { readonly edit: SettingsEdit; readonly errors: FieldErrors } {
  const { move, expression, span, tz, alerts, channels } = values
  const typed = {
    ...(expression === '' ? {} : expressionSpec(expression)),
    ...(span.amount === '' ? {} : { grace: spanSeconds(span) }),
    ...(tz === '' ? {} : { tz }),
  }
  const errors = {
    ...renamed(specErrors(typed, null)),
    ...expressionError(values, typed),
    ...(move !== '' && moveBy(values) === null ? { move: MOVE_ERROR } : {}),
    ...(alerts === 'keep' && channels.length > 0 ? { alerts: ALERTS_ERROR } : {}),
    ...tagErrors('add-tags', values.addTags),
    ...tagErrors('remove-tags', values.removeTags),
  }
  const [addTags, removeTags] = [splitTags(values.addTags), splitTags(values.removeTags)]
  const edit: SettingsEdit = {
    ...(typed as SettingsEdit),
    ...(move === '' ? {} : { moveBy: moveBy(values) ?? 0 }),
    ...(values.methods === 'keep' ? {} : { methods: values.methods === 'any' ? '' : values.methods }),
    ...(alerts === 'set' ? { channelIds: channels } : {}),
    ...(addTags.length > 0 ? { addTags } : {}),
    ...(removeTags.length > 0 ? { removeTags } : {}),
  }
  return { edit, errors }
}

function expressionSpec(expression: string): TypedSpec {
  const seconds = periodSeconds(expression)
  return seconds === null ? { schedule: expression } : { timeout: seconds }
}

function expressionError({ move, expression }: SettingsValues, { schedule }: TypedSpec): FieldErrors {
  if (move !== '' && expression !== '')
    return { expression: 'Either move all schedules or set all of them: one of the two fields must be empty.' }
  const mistake = schedule === undefined ? null : scheduleError(expression)
  return mistake === null ? {} : { expression: mistake.message }
}

/** Fields whose names differ from those in the form for a single check. */
const NAMES: Readonly<Record<string, FieldName>> = { period: 'expression', schedule: 'expression', grace: 'span' }

function renamed(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).map(([name, words]) => [NAMES[name] ?? name, words]))
}

const ALERTS_ERROR = 'Choose “Send all to”, or turn these off.'
const MOVE_ERROR = `Type a whole number from 1 to ${MOVE_LIMIT.toLocaleString('en')}.`

/**
 * Returns the number of minutes. Negative values shift the schedules to an earlier time. Returns null if the text is not a valid number.
 */
function moveBy({ move, direction }: SettingsValues): number | null {
  const minutes = /^\d{1,4}$/.test(move) ? Number(move) : 0
  if (minutes < 1 || minutes > MOVE_LIMIT) return null
  return direction === 'later' ? minutes : -minutes
}

function tagErrors(name: FieldName, text: string): FieldErrors {
  return text.length <= TAGS_LIMIT && splitTags(text).every(isTag)
    ? {}
    : { [name]: `This is too long: the tags of a check have at most ${TAGS_LIMIT} characters in total.` }
}
