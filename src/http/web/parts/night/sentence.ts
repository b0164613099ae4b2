/** Renders the sentence about a night, in the same way on all pages. */
import type { NightSentence } from '../../../../domain/night/sentence.ts'
import { type Html, html } from '../../html.ts'
import { sentenceHtml, type Zone } from '../words/sentence.ts'

export function nightSum({ away, counts, more }: NightSentence, zone: Zone): Html {
  return html`${away !== '' && html`<b>${away}</b> `}<b>${counts}</b> ${sentenceHtml(more, zone)}`
}
