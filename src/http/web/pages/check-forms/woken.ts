/** Renders the answer to “Would you have been woken?” next to a form's fields, and above its save button. */
import type { Woken } from '../../../../domain/advice/woken.ts'
import { missedSentence, type WokenLine, wokenLines } from '../../../../domain/advice/woken-sentence.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { note } from '../../parts/notes.ts'
import { sentenceHtml, type Zone } from '../../parts/words/sentence.ts'

/** Selector of the element above the save button that the script updates. */
export const SAVING_PART = '#saving'

export function wokenHtml(woken: Woken, zone: Zone): Html {
  return html`<h3>Would you have been woken?</h3>${linesHtml(wokenLines(woken), zone)}`
}

/** Renders warnings as notes, and other lines as paragraphs. */
export function linesHtml(lines: readonly WokenLine[], zone: Zone): Html {
  return html`${lines.map(({ says, isWarning }) => {
    const words = sentenceHtml(says, zone)
    return isWarning ? note('late', words) : html`<p class="help">${words}</p>`
  })}`
}

/** @param tried effect of the settings in the form; null if they contain a mistake */
export function savingPart(tried: (Zone & { readonly woken: Woken | null }) | null): Html {
  return html`<div id="saving" role="status">${tried?.woken && savingWarning(tried.woken, tried)}</div>`
}

/** Returns a warning about an outage that the check would have missed with the new settings. */
function savingWarning(woken: Woken, zone: Zone): HtmlValue {
  const missed = missedSentence(woken)
  return missed.length > 0 && note('late', html`<b>Save anyway?</b> ${sentenceHtml(missed, zone)}`)
}
