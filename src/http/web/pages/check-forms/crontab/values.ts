/** The values in the crontab form, and the mistakes in them. */
import type { Channel } from '../../../../../domain/channel/channel.ts'
import { isTimeZone } from '../../../../../domain/schedule/time-zones.ts'
import { PASTED_LINES, type PastedCrontab } from '../../../../../import/engine/pasted-crontab.ts'
import { PINGING_WAYS, type Pinging, type PingingWay } from '../../../../../import/proposals/ping-lines.ts'
import type { Form } from '../../../form.ts'
import { zoneError } from '../../../parts/forms/account-fields.ts'
import type { FieldErrors } from '../../../parts/forms/fields.ts'
import { readIntegrations } from '../../../parts/forms/integration-switches.ts'
import { type Span, spanSeconds, unitName } from '../span-field.ts'
import { specErrors } from '../spec-errors.ts'

/** The values that the user typed into the form. */
export interface CrontabValues {
  readonly text: string
  readonly isOfSystem: boolean
  readonly tz: string
  readonly grace: Span
  readonly by: PingingWay
  /** true if lines with `curl` also send a ping when the job starts */
  readonly hasStart: boolean
  readonly hasOutput: boolean
  /** ids of the selected channels */
  readonly channelIds: readonly string[]
}

/** @param channels all of the project's channels */
export function newValues(channels: readonly Channel[]): CrontabValues {
  return {
    text: '',
    isOfSystem: false,
    tz: '',
    grace: { amount: '1', unit: 'hours' },
    by: 'overdue-run',
    hasStart: true,
    hasOutput: true,
    channelIds: channels.map(({ id }) => id),
  }
}

export function readValues(form: Form, channels: readonly Channel[]): CrontabValues {
  return {
    text: form.text('crontab').replaceAll('\r\n', '\n'),
    isOfSystem: form.has('system'),
    tz: form.text('tz').trim(),
    grace: { amount: form.text('grace').trim(), unit: form.text(unitName('grace')) },
    by: PINGING_WAYS.find((way) => way === form.text('by')) ?? 'overdue-run',
    hasStart: form.has('start'),
    hasOutput: form.has('output'),
    channelIds: readIntegrations(form, channels),
  }
}

export function pingingOf({ by, hasStart, hasOutput }: CrontabValues): Pinging {
  return by === 'curl' ? { by, hasStart, hasOutput } : { by }
}

/** Returns the name of the field that contains a job's name. */
export const nameField = (key: string) => `name-${key}`
export const tickField = (key: string) => `make-${key}`

/** Reads which jobs the user selected. A job that the form has not shown yet counts as selected. */
export function readChoice(form: Form): Pick<PastedCrontab, 'nameOf' | 'isChosen'> {
  return {
    nameOf: (key) => form.text(nameField(key)).trim() || null,
    isChosen: (key) => !form.has(nameField(key)) || form.has(tickField(key)),
  }
}

/** Returns mistakes that prevent the crontab from being read. A missing time zone is not one of them. */
export function readingErrors({ text, tz, grace }: CrontabValues): FieldErrors {
  const lines = text.replace(/\n$/, '').split('\n').length
  const spec = grace.amount === '' ? {} : { grace: spanSeconds(grace) }
  return {
    ...specErrors(spec, null),
    ...(tz === '' || isTimeZone(tz) ? {} : { tz: zoneError(tz) }),
    ...(lines > PASTED_LINES ? { crontab: tooLong(lines) } : {}),
  }
}

const tooLong = (lines: number) =>
  `This crontab has ${lines} lines, but the page accepts only ${PASTED_LINES}. Save it as a file, and use the command “overdue import crontab FILE”.`

/** Returns mistakes that only prevent the checks from being created. */
export function creationErrors({ tz, channelIds }: CrontabValues, channels: readonly Channel[]): FieldErrors {
  return {
    ...(tz === '' ? { tz: 'Choose the time zone of the machine. The command “date” shows it.' } : {}),
    ...(channels.length > 0 && channelIds.length === 0
      ? { alerts: 'Choose an integration, or nobody would be alerted.' }
      : {}),
  }
}
