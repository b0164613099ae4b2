/** An incident's page: what happened to a check from the time it went down until it recovered. */

import { NOTE_LIMIT } from '../../../../../domain/incident/event.ts'
import { whoIsOn } from '../../../../../domain/incident/headline.ts'
import { byWords } from '../../../../../domain/incident/words.ts'
import { microsecondsBetween } from '../../../../../lib/time.ts'
import { durationWords } from '../../../../../lib/time-words.ts'
import type { EarlierIncident } from '../../../../../services/incidents/incident-page.ts'
import { incidentPath } from '../../../href.ts'
import { type Html, html } from '../../../html.ts'
import { linkButton, submit } from '../../../parts/forms/buttons.ts'
import { areaField } from '../../../parts/forms/fields.ts'
import { muteMenu } from '../../../parts/mute.ts'
import { wholeDurations } from '../../../parts/words/durations.ts'
import { sentenceHtml } from '../../../parts/words/sentence.ts'
import { timeOf, zoneLine } from '../../../parts/words/times.ts'
import type { FrameContent } from '../../../route.ts'
import { changedSection } from '../../check/changed.ts'
import { alertsPath, liveIncidentPath } from '../query.ts'
import { checkTitle, INCIDENT_ACTIONS, type IncidentData, isMine, type NoteForm, ownPath } from './context.ts'
import { headSection } from './head.ts'
import { timeline } from './timeline.ts'

export const NO_NOTE: NoteForm = { text: '', error: null }

/** Renders the parts of the page that can change. The keys are element ids. */
export function incidentParts(data: IncidentData): Readonly<Record<string, Html>> {
  const { page, context } = data
  return {
    'incident-name': html`<span id="incident-name">${checkTitle(page)} ${isOpen(data) ? 'is down' : 'was down'}</span>`,
    'incident-acts': html`<div class="acts" id="incident-acts">${context.canWrite && isOpen(data) && buttons(data)}</div>`,
    now: headSection(data),
    timeline: timeline(data),
    changed: changedSection(page, context),
  }
}

export function incidentPage(data: IncidentData, note: NoteForm): FrameContent {
  const { page, context } = data
  const { check } = page.view
  const parts = incidentParts(data)
  const name = check.name === '' ? 'A check' : check.name
  return {
    layout: 'frame',
    title: `${name} ${isOpen(data) ? 'is down' : 'was down'}`,
    heading: parts['incident-name'],
    crumbs: [{ path: alertsPath(context.slug), text: 'Alerts' }],
    live: liveIncidentPath(context.slug, { checkPublicId: check.publicId, n: page.incident.n }),
    intro: html`<a href="${context.pageHref()}">Open the check</a>`,
    actions: parts['incident-acts'],
    body: html`<div class="stack">${parts.now}
<div class="cols even"><div class="stack"><section class="card" aria-labelledby="happened-h"><header><h2 id="happened-h">What happened</h2><p>oldest first</p></header><div class="body">${parts.timeline}</div>${context.canWrite && noteForm(data, note)}</section></div>
<div class="stack">${parts.changed}
${earlierSection(data)}</div></div>
${zoneLine(context.tz)}</div>`,
  }
}

function isOpen({ page: { incident } }: IncidentData): boolean {
  return incident.resolvedAt === null
}

function buttons(data: IncidentData): Html {
  const { page, context } = data
  const take = (text: string) => linkButton({ text, href: context.href(ownPath(data, 'take')) })
  const onIt = whoIsOn(page.incident, page.now)
  if (onIt === null) {
    const button = submit({ text: 'I’m on it', look: 'primary', icon: 'hand', field: INCIDENT_ACTIONS.take, key: 'a' })
    return html`${actionForm(data, button)}${take('I’m on it until…')}${muteButton(data)}`
  }
  if (!isMine(data)) return html`${take('Take over…')}${muteButton(data)}`
  return html`${actionForm(data, submit({ text: 'Hand back', field: INCIDENT_ACTIONS.handBack }))}${take('Note or end…')}${muteButton(data)}`
}

function muteButton(data: IncidentData): Html {
  const { publicId } = data.page.view.check
  return muteMenu({ checks: [publicId], tags: [], isProject: false }, data.context.slug, ownPath(data), data.context)
}

function actionForm(data: IncidentData, button: Html): Html {
  return html`<form method="post" action="${data.context.href(ownPath(data))}">${button}</form>`
}

function noteForm(data: IncidentData, { text, error }: NoteForm): Html {
  const field = areaField({
    name: 'note',
    label: 'Note',
    value: text,
    rows: 3,
    help: `What you found out, for the next person. Later alerts include the last note. At most ${NOTE_LIMIT.toLocaleString('en')} characters.`,
    ...(error === null ? {} : { error, hasFocus: true }),
  })
  const button = submit({ text: 'Add note', isSmall: true, field: INCIDENT_ACTIONS.note })
  return html`<form class="note-f form" method="post" action="${data.context.href(ownPath(data))}">${field}<div class="acts">${button}</div></form>`
}

function earlierSection(data: IncidentData): Html | false {
  const { earlier } = data.page
  if (earlier.length === 0) return false
  const items = earlier.map((one) => earlierLine(one, data))
  return html`<section class="card clip" aria-labelledby="earlier-h"><header><h2 id="earlier-h">Earlier</h2></header><ul class="upnext">${items}</ul></section>`
}

const REASONS = { fail: 'Failed', timeout: 'No ping', '': 'Down' } as const

function earlierLine({ incident, reason }: EarlierIncident, { page: { now, view }, context }: IncidentData): Html {
  const { openedAt, resolvedAt } = incident
  const to = context.href(incidentPath(context.slug, view.check.publicId, incident.n))
  const onIt = whoIsOn(incident, now)
  const took = resolvedAt && wholeDurations(durationWords(microsecondsBetween(openedAt, resolvedAt) / 1_000_000))
  const who = onIt === null ? 'nobody' : sentenceHtml([byWords(onIt.by)], context)
  return html`<li><a href="${to}">${REASONS[reason ?? '']}, ${timeOf('clock', openedAt, now, context.tz)}</a><span class="w">${took}, ${who}</span></li>`
}
