/**
 * The card about checks whose jobs could fail without triggering an alert. It only shows how many such checks each project has, because
 * they often share a cause.
 */
import type { Overview } from '../../../../services/overview/overview.ts'
import type { PageContext } from '../../context.ts'
import { projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { adviceNumbers } from '../../parts/advice/numbers.ts'
import { icon } from '../../parts/icons.ts'
import { stateShape } from '../../parts/words/states.ts'
import { bdi, numbered } from '../../parts/words/text.ts'

const LIST = 'checks?advice=untold&advice=unwatched'

export function unheardCard({ places }: Overview, { href }: PageContext): Html {
  const affected = places.filter(({ unheard }) => unheard.checks > 0)
  if (affected.length === 0) return html`<section id="unheard" hidden></section>`
  const items = affected.map(({ actor: { project }, unheard }) => {
    const words = `${unheard.isCut ? 'at least ' : ''}${numbered(...adviceNumbers(unheard.advice)).join(', ')}`
    return html`<li><a href="${href(projectPath(project.slug, LIST))}">${stateShape('late')}<span><b>${bdi(project.name)}</b><small>${words}</small></span>${icon('right', 'end')}</a></li>`
  })
  return html`<section class="card" id="unheard" aria-labelledby="unheard-h"><header><h2 id="unheard-h">Would fail unnoticed</h2></header><ul class="plist">${items}</ul></section>`
}
