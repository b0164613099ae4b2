/** The card with a few of the checks whose settings do not match how their jobs run, and a link to all advice. */
import { may } from '../../../../domain/actor.ts'
import { adviceSentence } from '../../../../domain/advice/sentence.ts'
import type { Overview } from '../../../../services/overview/overview.ts'
import type { PageContext } from '../../context.ts'
import { checkPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { icon } from '../../parts/icons.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { checkName } from './context.ts'

export function fixingCard({ unfitting, advised }: Overview, context: PageContext): Html {
  if (unfitting.length === 0) return html`<section id="fixing" hidden></section>`
  const { href } = context
  const items = unfitting.map(({ actor, check, advice }) => {
    const said = sentenceHtml(adviceSentence(advice, may(actor, 'write')), context)
    const to = href(`${checkPath(actor.project.slug, check.publicId)}#advice`)
    return html`<li><a href="${to}">${icon('bulb')}<span><b>${checkName(check)}:</b> ${said}</span></a></li>`
  })
  const all = html`<a class="btn quiet small" href="${href('/advice')}">All ${advised.toLocaleString('en')}<span class="sr"> advice</span></a>`
  return html`<section class="card" id="fixing" aria-labelledby="fixing-h"><header><h2 id="fixing-h">Worth fixing</h2>${all}</header><ul class="adlines">${items}</ul></section>`
}
