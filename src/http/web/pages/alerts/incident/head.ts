/**
 * The summary at the top of an incident's page. A sentence and four facts state how long the incident has lasted and who is working on it.
 */
import { incidentHeadline, whoIsOn } from '../../../../../domain/incident/headline.ts'
import { byWords } from '../../../../../domain/incident/words.ts'
import type { Sentence } from '../../../../../domain/words/sentence-parts.ts'
import { type Html, html } from '../../../html.ts'
import { type Fact, factList } from '../../../parts/lists.ts'
import { unmuteButton } from '../../../parts/mute.ts'
import { toldCount, toldItems } from '../../../parts/told.ts'
import { sentenceHtml } from '../../../parts/words/sentence.ts'
import { stateShape } from '../../../parts/words/states.ts'
import { bdi } from '../../../parts/words/text.ts'
import { relativeTime, timeOf } from '../../../parts/words/times.ts'
import { type IncidentData, ownPath } from './context.ts'

export function headSection(data: IncidentData): Html {
  const { page, context } = data
  const { incident, view, end, now } = page
  const { lead, detail } = incidentHeadline(incident, view, end, now)
  const state = incident.resolvedAt === null ? 'down' : end?.newStatus === 'paused' ? 'paused' : 'up'
  const facts = [sinceFact(data), onItFact(data), toldFact(data), mutedFact(data)]
  return html`<section class="card" id="now" aria-label="Now"><div class="say${state === 'paused' ? '' : ` ${state}`}">${stateShape(state, 'big')}<div><p>${sentenceHtml(lead, context)}</p>${detail.length > 0 && html`<p>${sentenceHtml(detail, context)}</p>`}</div><span class="now-live">as of ${timeOf('now', now, now, context.tz)}</span></div>
${factList(facts)}</section>`
}

function sinceFact({ page: { incident, now }, context: { tz } }: IncidentData): Fact {
  const { openedAt, resolvedAt } = incident
  const until = resolvedAt && html`until ${timeOf('clock', resolvedAt, now, tz)}`
  return { name: 'Since', value: timeOf('clock', openedAt, now, tz), more: until ?? relativeTime(openedAt, now, tz) }
}

function onItFact({ page: { incident, now }, context }: IncidentData): Fact {
  const onIt = whoIsOn(incident, now)
  if (onIt === null) return { name: 'On it', value: 'no one', more: null }
  const { at, by, until } = onIt
  const end: Sentence = until === null ? [] : [', until ', { clock: until }]
  return {
    name: 'On it',
    value: sentenceHtml([byWords(by)], context),
    more: sentenceHtml(['since ', { clock: at }, ...end], context),
  }
}

/** Lists the alerts that were sent when the incident started. The same integrations are notified when the incident ends. */
function toldFact({ page: { incident, told }, context }: IncidentData): Fact {
  const alerts = told.filter(({ delivery }) => delivery.eventN === incident.n)
  if (alerts.length > 0) return { name: 'Alerted', value: toldCount(alerts), more: toldItems(alerts, context) }
  return { name: 'Alerted', value: 'no one', more: whyNobody(incident) }
}

function whyNobody({ told, held, resolvedAt }: IncidentData['page']['incident']): string {
  if (told !== null) return 'no integration received the alert'
  if (held?.why === 'silence') return 'muted'
  if (held?.why === 'acknowledgement') return 'someone is on it'
  return resolvedAt === null ? 'not yet' : 'it ended before that'
}

/**
 * Returns whether the check is muted now. The page shows this even if the incident has ended, because a mute also affects the next
 * incident.
 */
function mutedFact(data: IncidentData): Fact {
  const { page, context } = data
  const { silencedBy: muted, now, view } = page
  if (muted === null) return { name: 'Muted', value: 'no', more: 'alerts are sent' }
  const { silence, until } = muted
  const { untilHealthy, reason } = silence
  const latest = untilHealthy && html`at the latest; ends at the next success. `
  const scope = { checks: [view.check.publicId], tags: [], isProject: false }
  const unmute = context.canWrite && unmuteButton(silence, scope, context.slug, ownPath(data), context)
  return {
    name: 'Muted',
    value: html`until ${timeOf('clock', until, now, context.tz)} ${unmute}`,
    more: html`${latest}${reason !== '' && bdi(reason)}`,
  }
}
