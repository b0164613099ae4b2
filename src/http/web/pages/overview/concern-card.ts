/** A check that is down, late or slow: what is missing since when, its last runs, who was told. */

import { may } from '../../../../domain/actor.ts'
import { toldSentence } from '../../../../domain/alert/told.ts'
import { stripOf, stripText, stripWords } from '../../../../domain/run/strip.ts'
import { sentenceOf } from '../../../../domain/sentence/sentence.ts'
import type { Concern } from '../../../../services/overview/overview.ts'
import type { PageContext } from '../../context.ts'
import { type Html, html } from '../../html.ts'
import { channelKind } from '../../parts/channels.ts'
import { hiddenField } from '../../parts/forms/fields.ts'
import { strip } from '../../parts/strip.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { stateShape } from '../../parts/words/states.ts'
import { bdi } from '../../parts/words/text.ts'
import { checkHref, checkName } from './context.ts'

/** `<section id=c…>`. Nothing in it is a secret. Its button is only for who may write in the project. */
export function concernCard(concern: Concern, context: PageContext): Html {
  const { actor, check, state, expected, told, channelIds } = concern
  const runs = stripOf(check, context.now, expected)
  const why = sentenceOf(concern, runs) ?? []
  const who = toldSentence(told, channelIds.length > 0, (entry) => entry.channelName || channelKind(entry.channelKind))
  const id = `c${check.publicId}`
  return html`<section class="card" id="${id}" aria-labelledby="${id}-h"><div class="say ${state}">${stateShape(state, 'big')}<div class="inc"><h2 id="${id}-h"><a href="${checkHref(context, actor, check)}">${checkName(check)}</a> <span class="muted">${bdi(actor.project.name)}</span></h2><p>${sentenceHtml(why, context)}</p></div>${strip(stripText(runs), stripWords(runs))}</div>
<footer><span>${sentenceHtml(who, context)}</span><div class="acts end">${lastOutput(concern, context)}${may(actor, 'write') && pauseButton(concern, context)}</div></footer></section>
`
}

/** Leads to the failure, or to the newest ping. */
function lastOutput({ actor, check, trouble }: Concern, context: PageContext): Html | null {
  const n = trouble?.failure?.n ?? check.nPings
  if (n === 0) return null
  return html`<a class="btn small" href="${checkHref(context, actor, check, `/log/${n}`)}">Last output<span class="sr"> of ${checkName(check)}</span></a>`
}

function pauseButton({ actor, check }: Concern, { href }: PageContext): Html {
  return html`<form method="post" action="${href('/')}">${hiddenField('project', actor.project.slug)}${hiddenField('check', check.publicId)}<button class="btn small" type="submit">Pause<span class="sr"> ${checkName(check)}</span></button></form>`
}
