/** Asks for the note and the end with which a person takes an incident, or takes it over. */

import { NOTE_LIMIT } from '../../../../../domain/incident/event.ts'
import { whoIsOn } from '../../../../../domain/incident/headline.ts'
import { byWords } from '../../../../../domain/incident/words.ts'
import { type HtmlValue, html } from '../../../html.ts'
import { areaField, type FieldErrors, hiddenField } from '../../../parts/forms/fields.ts'
import { untilFields } from '../../../parts/forms/until-fields.ts'
import { sentenceHtml } from '../../../parts/words/sentence.ts'
import type { FrameContent } from '../../../route.ts'
import { formPage } from '../../form-page.ts'
import { alertsPath } from '../query.ts'
import { checkTitle, type IncidentData, isMine, ownPath } from './context.ts'

/** The submitted form, with its mistakes. */
export interface TakeForm {
  readonly note: string
  readonly day: string
  readonly time: string
  readonly errors: FieldErrors
}

/** A form that names the person who is on it sends this field. */
export const TAKES_OVER = 'over'
/** Number of days from which the end can be chosen. */
const DAYS = 14

export function takePage(data: IncidentData, form: TakeForm): FrameContent {
  const { page, context } = data
  const isOver = isTakenOver(data)
  const title = isOver ? 'Take over' : 'I’m on it'
  return formPage({
    href: context.href,
    title,
    heading: html`${title}: ${checkTitle(page)}`,
    crumbs: [
      { path: alertsPath(context.slug), text: 'Alerts' },
      { path: ownPath(data), text: page.view.check.name || 'Incident' },
    ],
    action: ownPath(data, 'take'),
    fields: html`${isOver && html`<p>${whoIsOnWords(data)} If you take over, everybody sees that you are on it instead.</p>${hiddenField(TAKES_OVER, 'on')}`}
${areaField({ name: 'note', label: 'Note', value: form.note, rows: 3, error: form.errors.note, help: `What you do about it, if you like. At most ${NOTE_LIMIT.toLocaleString('en')} characters.` })}
${untilFields({ ...context, days: DAYS, none: 'the check recovers', day: form.day, time: form.time, error: form.errors.day })}
<p class="help">After that nobody is on it. If nobody has been alerted by then, the alert is sent then.</p>`,
    button: { text: title, look: 'primary' },
  })
}

/** Whether another person is on the incident. */
export function isTakenOver(data: IncidentData): boolean {
  return whoIsOn(data.page.incident, data.page.now) !== null && !isMine(data)
}

function whoIsOnWords({ page, context }: IncidentData): HtmlValue {
  const onIt = whoIsOn(page.incident, page.now)
  return onIt && sentenceHtml([byWords(onIt.by), ' has been on it since ', { clock: onIt.at }, '.'], context)
}
