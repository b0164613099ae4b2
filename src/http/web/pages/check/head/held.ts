/** Lines below the sentence at the top. They show who is working on the incident, and when the check's mute ends. */
import { whoIsOn } from '../../../../../domain/incident/headline.ts'
import { onItSentence } from '../../../../../domain/incident/words.ts'
import { mutedSentence } from '../../../../../domain/silence/words.ts'
import type { CheckPage } from '../../../../../services/overview/check-page.ts'
import { checkPath, incidentPath } from '../../../href.ts'
import { type Html, html } from '../../../html.ts'
import { submit } from '../../../parts/forms/buttons.ts'
import { icon } from '../../../parts/icons.ts'
import { unmuteButton } from '../../../parts/mute.ts'
import { sentenceHtml } from '../../../parts/words/sentence.ts'
import { ACTIONS } from '../actions.ts'
import type { CheckContext } from '../context.ts'

export function heldLines(page: CheckPage, context: CheckContext): Html {
  return html`${incidentLine(page, context)}${mutedLine(page, context)}`
}

function incidentLine({ standing: { incident }, view: { check } }: CheckPage, context: CheckContext): Html | false {
  if (incident === null) return false
  const { href, slug, now, canWrite } = context
  const own = href(incidentPath(slug, check.publicId, incident.n))
  const onIt = whoIsOn(incident, now)
  const take = onIt === null && canWrite && takeForm(context)
  return html`<div class="acts"><span>${sentenceHtml(onItSentence(onIt), context)} <a href="${own}">Open the incident</a></span>${take}</div>`
}

/** Renders the button for taking the incident if nobody has taken it. Users can take over a taken incident on the incident's page. */
function takeForm({ pageHref }: CheckContext): Html {
  const button = submit({ text: 'I’m on it', isSmall: true, field: ACTIONS.take, key: 'a' })
  return html`<form method="post" action="${pageHref()}">${button}</form>`
}

function mutedLine(
  { standing: { silencedBy: muted }, view: { check } }: CheckPage,
  context: CheckContext,
): Html | false {
  if (muted === null) return false
  const { silence } = muted
  const { slug, canWrite, now } = context
  const scope = { checks: [check.publicId], tags: [], isProject: false }
  const unmute = canWrite && unmuteButton(silence, scope, slug, checkPath(slug, check.publicId), context)
  return html`<div class="acts">${icon('mute')}<span>${sentenceHtml(mutedSentence(silence, now), context)}</span>${unmute}</div>`
}
