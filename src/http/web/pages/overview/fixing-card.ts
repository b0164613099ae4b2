/** Some checks that do not fit their jobs, and links to all advice of their projects. */
import { may } from '../../../../domain/actor.ts'
import { adviceSentence } from '../../../../domain/advice/sentence.ts'
import type { Overview } from '../../../../services/overview/overview.ts'
import type { PageContext } from '../../context.ts'
import { checkPath, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { icon } from '../../parts/icons.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { bdi } from '../../parts/words/text.ts'
import { checkName } from './context.ts'

/** Number of projects that are named. */
const PROJECTS = 10

export function fixingCard({ unfitting, advised }: Overview, context: PageContext): Html {
  if (unfitting.length === 0) return html`<section id="fixing" hidden></section>`
  const { href } = context
  const items = unfitting.map(({ actor, check, advice }) => {
    const said = sentenceHtml(adviceSentence(advice, may(actor, 'write')), context)
    const to = href(`${checkPath(actor.project.slug, check.publicId)}#advice`)
    return html`<li><a href="${to}">${icon('bulb')}<span><b>${checkName(check)}</b><small>${said}</small></span></a></li>`
  })
  const all = advised.slice(0, PROJECTS).map(({ project: { slug, name }, checks }, index) => {
    const to = href(projectPath(slug, 'advice'))
    return html`${index > 0 && ', '}<a href="${to}">${bdi(name)} ${checks}</a>`
  })
  const more = advised.length - PROJECTS
  return html`<section class="card" id="fixing" aria-labelledby="fixing-h"><header><h2 id="fixing-h">Worth fixing</h2></header><ul class="plist">${items}</ul><p class="help advs-end">All advice: ${all}${more > 0 && ` and ${more} more`}</p></section>`
}
