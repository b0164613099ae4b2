/** A row for a check that went down without an alert. It states what is holding the alert back, and when that will end. */
import { lastingSentence } from '../../../../domain/incident/lasting.ts'
import { unsentSentence } from '../../../../domain/incident/words.ts'
import type { UntoldIncident } from '../../../../services/incidents/untold.ts'
import { type Html, html } from '../../html.ts'
import { icon } from '../../parts/icons.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { stateShape } from '../../parts/words/states.ts'
import { alertRow, nameHtml, type RowContext, rowLinks } from './row.ts'

export function untoldRow({ incident, check, silence }: UntoldIncident, context: RowContext): Html {
  const shape = icon(incident.held?.why === 'acknowledgement' ? 'hand' : 'mute')
  return alertRow(
    {
      id: `u-${check.publicId}-${incident.n}`,
      isUnfolded: false,
      shape: stateShape('down'),
      what: html`<b>${nameHtml(check.name)}</b> <span class="dn">went down</span>`,
      more: sentenceHtml(lastingSentence(incident, false, context.now), context),
      to: html`<span>${shape}<span>${sentenceHtml(unsentSentence(incident, silence), context)}</span></span>`,
      at: incident.openedAt,
      each: html`<div class="acts">${rowLinks(check.publicId, incident.n, context)}</div>`,
    },
    context,
  )
}
