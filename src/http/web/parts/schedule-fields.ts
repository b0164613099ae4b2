/**
 * The fields of a check's schedule: how often, by cron or by OnCalendar, and the grace time. The style sheet shows those of the
 * chosen kind only; all are sent, so that nothing that was typed is lost by looking at another kind.
 */
import { CHECK_KINDS, type CheckKind } from '../../../domain/check/check.ts'
import { timeZones } from '../../../domain/schedule/time-zones.ts'
import { type Html, html } from '../html.ts'
import { areaField, type FieldErrors, textField } from './fields.ts'
import { type Span, spanField } from './span-field.ts'

/** As they were typed. */
export interface ScheduleValues {
  readonly kind: CheckKind
  readonly period: Span
  readonly cron: string
  readonly oncalendar: string
  readonly tz: string
  readonly grace: Span
}

/** Their names, in their order. */
export const SCHEDULE_FIELDS = ['period', 'cron', 'oncalendar', 'tz', 'grace'] as const

const KIND_WORDS: Readonly<Record<CheckKind, string>> = {
  simple: 'Every so often',
  cron: 'Cron',
  oncalendar: 'systemd OnCalendar',
}

/** @param focus the name of the field that gets the focus; null for none of them */
export function scheduleFields(values: ScheduleValues, errors: FieldErrors, focus: string | null): Html {
  const kinds = CHECK_KINDS.map(
    (kind) =>
      html`<label><input type="radio" name="kind" value="${kind}"${kind === values.kind && html` checked`}>${KIND_WORDS[kind]}</label>`,
  )
  const common = (name: (typeof SCHEDULE_FIELDS)[number]) => ({ name, error: errors[name], hasFocus: focus === name })
  return html`<div class="form schedule"><fieldset class="field"><legend>Schedule</legend><div class="seg">${kinds}</div></fieldset>
<div class="of-simple">${spanField({ ...common('period'), label: 'Period', value: values.period, help: 'How often the job runs.' })}</div>
<div class="of-cron">${textField({ ...common('cron'), label: 'Cron expression', value: values.cron, isCode: true, help: CRON_HELP })}</div>
<div class="of-oncalendar">${areaField({ ...common('oncalendar'), label: 'OnCalendar expressions', value: values.oncalendar, rows: 2, isCode: true, help: ONCALENDAR_HELP })}</div>
<div class="of-cron of-oncalendar">${textField({ ...common('tz'), label: 'Time zone', value: values.tz, list: 'zones', help: 'The zone of the machine that runs the job, such as Europe/Riga.' })}<datalist id="zones">${timeZones.map((name) => html`<option value="${name}"></option>`)}</datalist></div>
${spanField({ ...common('grace'), label: 'Grace time', value: values.grace, help: 'How late a ping may be before anyone is told. A run that takes longer is late too.' })}</div>`
}

const CRON_HELP = html`Five fields, as in crontab: minute, hour, day of month, month, weekday. <code>0 2 * * 1-5</code> is 02:00 on weekdays. Also <code>L</code>, <code>LW</code>, <code>5L</code> and <code>MON#2</code>.`

const ONCALENDAR_HELP = html`As in systemd timers, one a line: <code>Mon..Fri 02:00</code> is 02:00 on weekdays.`
