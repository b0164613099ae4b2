/** The form for taking an incident, or taking it over, with a note and an end time. */

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

/** The submitted form and its error messages. */
export interface TakeForm {
  readonly note: string
  readonly day: string
  readonly time: string
  readonly errors: FieldErrors
}

/** Name of the field that records that the form has warned the user that someone else is working on the incident. */
export const TAKES_OVER = 'over'
/** Number of days that the user can choose from for the end, including today. */
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
    fields: html`${isOver && html`<p>${whoIsOnWords(data)} If you take over, everyone sees that you are on it instead.</p>${hiddenField(TAKES_OVER, 'on')}`}
${areaField({ name: 'note', label: 'Note', value: form.note, rows: 3, error: form.errors.note, help: `Optional: what you are doing about it. At most ${NOTE_LIMIT.toLocaleString('en')} characters.` })}
${untilFields({ ...context, days: DAYS, none: 'the check recovers', day: form.day, time: form.time, error: form.errors.day })}
<p class="help">After this time, nobody is on it any more. If nobody has been alerted by then, the alert is sent.</p>`,
    button: { text: title, look: 'primary' },
  })
}

/** Returns whether another user has taken the incident. */
export function isTakenOver(data: IncidentData): boolean {
  return whoIsOn(data.page.incident, data.page.now) !== null && !isMine(data)
}

function whoIsOnWords({ page, context }: IncidentData): HtmlValue {
  const onIt = whoIsOn(page.incident, page.now)
  return onIt && sentenceHtml([byWords(onIt.by), ' has been on it since ', { clock: onIt.at }, '.'], context)
}
