/** Changes that the fix of an advice would have made over the kept log. */
import type { Woken } from '../../../../domain/advice/woken.ts'
import { wokenLines } from '../../../../domain/advice/woken-sentence.ts'
import { type HtmlValue, html } from '../../html.ts'
import { sentenceHtml, type Zone } from '../words/sentence.ts'

/** All of it. @param woken null: nothing is known */
export function wokenWords(woken: Woken | null, zone: Zone): HtmlValue {
  return (
    woken !== null &&
    wokenLines(woken).map(
      ({ says, isWarning }) => html`<p${isWarning && html` class="late"`}>${sentenceHtml(says, zone)}</p>`,
    )
  )
}

/** `29 alerts would not have been sent.`; empty where none would have been spared. */
export function sparedWords(woken: Woken | null): string {
  if (woken === null || woken.spared === 0) return ''
  return woken.spared === 1 ? '1 alert would not have been sent.' : `${woken.spared} alerts would not have been sent.`
}
