/** Describes how a fix would have changed the alerts, based on the events in the log. */
import type { Woken } from '../../../../domain/advice/woken.ts'
import { wokenLines } from '../../../../domain/advice/woken-sentence.ts'
import { fewerAlerts } from '../../../../services/advice/check-advice.ts'
import { type HtmlValue, html } from '../../html.ts'
import { sentenceHtml, type Zone } from '../words/sentence.ts'
import { counted } from '../words/text.ts'

/** Describes all changes. @param woken null if unknown */
export function wokenWords(woken: Woken | null, zone: Zone): HtmlValue {
  return (
    woken !== null &&
    wokenLines(woken).map(
      ({ says, isWarning }) => html`<p${isWarning && html` class="late"`}>${sentenceHtml(says, zone)}</p>`,
    )
  )
}

/** Returns text such as `The fix would have avoided 29 alerts.`; empty if it would have avoided none. */
export function sparedWords(woken: Woken | null): string {
  const fewer = fewerAlerts(woken)
  return fewer === 0 ? '' : `The fix would have avoided ${counted(fewer, 'alert', 'alerts')}.`
}
