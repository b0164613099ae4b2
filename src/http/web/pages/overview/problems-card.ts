/**
 * The card with checks that are down, late or slow. For each check, it shows the problem and when it began, the last runs, and the
 * integrations that were alerted.
 */

import { may } from '../../../../domain/actor.ts'
import { toldSentence } from '../../../../domain/alert/told.ts'
import { whoIsOn } from '../../../../domain/incident/headline.ts'
import { onItSentence } from '../../../../domain/incident/words.ts'
import { stripOf, stripText, stripWords } from '../../../../domain/run/strip.ts'
import { sentenceOf } from '../../../../domain/sentence/sentence.ts'
import { mutedSentence } from '../../../../domain/silence/words.ts'
import { join } from '../../../../domain/words/sentence-parts.ts'
import type { Problem } from '../../../../services/overview/overview.ts'
import type { PageContext } from '../../context.ts'
import { incidentPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { channelKind } from '../../parts/channels.ts'
import { hiddenField } from '../../parts/forms/fields.ts'
import { strip } from '../../parts/strip.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { STATE_WORDS, stateShape } from '../../parts/words/states.ts'
import { bdi } from '../../parts/words/text.ts'
import { checkHref, checkName } from './context.ts'

export function problemsCard(problems: readonly Problem[], context: PageContext): Html {
  const items = problems.map((problem) => item(problem, context))
  return html`<section class="card" aria-labelledby="needs-h"><header><h2 id="needs-h">Needs attention</h2><p>newest first</p></header><ul class="trouble">${items}</ul></section>`
}

/** Renders a check as a list item with an id. The item contains no secrets. Only users with write access to the project get the buttons. */
function item(problem: Problem, context: PageContext): Html {
  const { actor, check, state, expected, told, channelIds } = problem
  const runs = stripOf(check, context.now, expected)
  const why = sentenceOf(problem, runs) ?? []
  const who = toldSentence(told, channelIds.length > 0, (entry) => entry.channelName || channelKind(entry.channelKind))
  return html`<li id="c${check.publicId}" class="${state}">${stateShape(state, 'big')}<div><h3><span class="sr">${STATE_WORDS[state]}: </span><a class="name" href="${checkHref(context, actor, check)}">${checkName(check)}</a> <span class="muted">${bdi(actor.project.name)}</span></h3><p>${sentenceHtml(why, context)}</p><p class="told">${sentenceHtml(who, context)}</p>${standingLine(problem, context)}</div>${strip(stripText(runs), stripWords(runs))}<div class="acts">${may(actor, 'write') && takeButton(problem, context)}${may(actor, 'write') && pauseButton(problem, context)}${lastOutput(problem, context)}</div></li>
`
}

/** Renders who is working on the incident and when the check's mute ends, with a link to the incident. */
function standingLine(
  { standing: { incident, silencedBy: muted }, actor, check }: Problem,
  context: PageContext,
): Html | null {
  const said = join(
    incident === null ? [] : onItSentence(whoIsOn(incident, context.now)),
    muted === null ? [] : mutedSentence(muted.silence, context.now),
  )
  if (said.length === 0) return null
  const link =
    incident &&
    html` <a href="${context.href(incidentPath(actor.project.slug, check.publicId, incident.n))}">Incident<span class="sr"> of ${checkName(check)}</span></a>`
  return html`<p class="told">${sentenceHtml(said, context)}${link}</p>`
}

/** Renders the button for taking the incident if nobody has taken it. Users can take over a taken incident on the incident's page. */
function takeButton({ standing: { incident }, actor, check }: Problem, context: PageContext): Html | null {
  if (incident === null || whoIsOn(incident, context.now) !== null) return null
  const own = context.href(incidentPath(actor.project.slug, check.publicId, incident.n))
  return html`<form method="post" action="${own}"><button class="btn small" type="submit" name="action" value="take">I’m on it<span class="sr">: ${checkName(check)}</span></button></form>`
}

/** Renders a link to the ping that reported the failure, or else to the newest ping. */
function lastOutput({ actor, check, trouble }: Problem, context: PageContext): Html | null {
  const n = trouble?.failure?.n ?? check.nPings
  if (n === 0) return null
  return html`<a class="btn quiet small" href="${checkHref(context, actor, check, `/log/${n}`)}">Last output<span class="sr"> of ${checkName(check)}</span></a>`
}

function pauseButton({ actor, check }: Problem, { href }: PageContext): Html {
  return html`<form method="post" action="${href('/')}">${hiddenField('project', actor.project.slug)}${hiddenField('check', check.publicId)}<button class="btn small" type="submit">Pause<span class="sr"> ${checkName(check)}</span></button></form>`
}
