/** Checks that do not fit their jobs, and where all advice of their projects stands. */
import { may } from '../../../../domain/actor.ts'
import { adviceSentence } from '../../../../domain/advice/sentence.ts'
import type { Overview } from '../../../../services/overview/overview.ts'
import type { PageContext } from '../../context.ts'
import { checkPath, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { icon } from '../../parts/icons.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { checkName } from './context.ts'

export function fixingCard({ unfitting, allUnfitting }: Overview, context: PageContext): Html {
  const [first] = unfitting
  if (first === undefined) return html`<section id="fixing" hidden></section>`
  const { href } = context
  const items = unfitting.map(({ actor, check, advice }) => {
    const said = sentenceHtml(adviceSentence(advice, may(actor, 'write')), context)
    const to = href(`${checkPath(actor.project.slug, check.publicId)}#advice`)
    return html`<li><a href="${to}">${icon('bulb')}<span><b>${checkName(check)}</b><small>${said}</small></span></a></li>`
  })
  const all = href(projectPath(first.actor.project.slug, 'advice'))
  return html`<section class="card" id="fixing" aria-labelledby="fixing-h"><header><h2 id="fixing-h">Worth fixing</h2><a class="btn quiet small" href="${all}">${allUnfitting > unfitting.length ? `All ${allUnfitting}` : 'Advice'}</a></header><ul class="plist">${items}</ul></section>`
}
