/**
 * The first-ping page. At first, it contains a form for the first check. Then it shows lines to add to the job, which stay visible after
 * the ping has arrived.
 */

import { type Untold, untoldSentence } from '../../../../domain/channel/untold.ts'
import type { Check } from '../../../../domain/check/check.ts'
import type { Links } from '../../../../domain/check/representation.ts'
import { expectedIfReadable } from '../../../../domain/check/status.ts'
import { periodInWords } from '../../../../domain/duration.ts'
import type { Sentence } from '../../../../domain/sentence/sentence.ts'
import { type Instant, isBefore } from '../../../../lib/time.ts'
import { editPath, type Href, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { noChecks } from '../../parts/empty.ts'
import { linkButton, submit } from '../../parts/forms/buttons.ts'
import { textField } from '../../parts/forms/fields.ts'
import { card } from '../../parts/lists.ts'
import { note } from '../../parts/notes.ts'
import { pingNote } from '../../parts/reach-note.ts'
import { pingUrlField, type Snippet, snippetPicker } from '../../parts/snippets.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { stateShape } from '../../parts/words/states.ts'
import { bdi } from '../../parts/words/text.ts'
import type { FrameContent } from '../../route.ts'

/** Form fields that the buttons submit. Pressing a button twice, or on an outdated page, is harmless. */
export const MAKE = { name: 'action', value: 'make-check' } as const
export const PING = { name: 'action', value: 'send-ping' } as const
/** Name of the field that contains the first check's name. */
export const CHECK_NAME = 'name'

const DAY_SECONDS = 86_400

interface Paths {
  readonly href: Href
  readonly path: string
  readonly checksPath: string
}

interface NoCheck extends Paths {
  /** name that the user typed */
  readonly name: string
  readonly error: string | undefined
}

export function noCheckPage({ href, path, checksPath, name, error }: NoCheck): FrameContent {
  const field = textField({
    name: CHECK_NAME,
    label: 'Name',
    value: name,
    isRequired: true,
    maxLength: 100,
    help: 'What the job does, such as Nightly database backup. A ping is expected once a day until you set a schedule.',
    error,
    hasFocus: true,
  })
  const button = submit({ text: 'Create the first check', look: 'primary', field: MAKE })
  const other = linkButton({ text: 'Set its schedule too', look: 'quiet', href: href(`${checksPath}/new`) })
  return {
    layout: 'frame',
    title: 'First ping',
    crumbs: [{ path: checksPath, text: 'Checks' }],
    isNarrow: true,
    body: html`${noChecks(null)}<form class="form" method="post" action="${href(path)}" autocomplete="off">${field}<div class="acts">${button}${other}</div></form>`,
  }
}

interface FirstPingData extends Paths {
  /** the project's slug */
  readonly slug: string
  readonly isAdministrator: boolean
  readonly check: Check
  /** reason why nobody would be alerted; null if at least one integration receives the alerts */
  readonly untold: Untold | null
  /** true if the project has integrations, even if none of them receives alerts */
  readonly hasIntegrations: boolean
  readonly links: Links
  readonly pingUrl: string
  readonly snippet: Snippet
  /** sentence about pings that did not count; empty if all pings counted */
  readonly uncounted: Sentence
  readonly now: Instant
  /** IANA time zone from the reader's account settings */
  readonly tz: string
}

export function firstPingPage(data: FirstPingData): FrameContent {
  const { check, checksPath, href, path, slug, untold, uncounted } = data
  const isWaiting = check.nPings === 0
  return {
    layout: 'frame',
    title: 'First ping',
    ...(isWaiting ? { live: projectPath(slug, 'live?view=first-ping') } : {}),
    heading: isWaiting ? 'Add these lines to your job' : 'First ping received.',
    intro: isWaiting
      ? html`Overdue expects a ping for ${nameOf(check)} ${rhythm(check)}${untold === null && ', and alerts you if none arrives'}.`
      : html`It was a ping for ${nameOf(check)}.`,
    crumbs: [{ path: checksPath, text: 'Checks' }],
    isNarrow: true,
    body: html`<div class="stack">${isWaiting ? [lines(data), waiting(href(path))] : outcome(data)}
${isWaiting && uncounted.length > 0 && note('late', sentenceHtml(uncounted, data))}
${untold !== null && note('late', alertsNoOne(untold, data))}
<div class="acts">${nextButtons(data)}</div>
${!isWaiting && card({ title: 'Add these lines to your job', body: html`<div class="stack">${lines(data)}</div>` })}
${card({ title: 'What happens next', body: whatHappens(untold !== null) })}
${data.isAdministrator && isWaiting && card({ title: 'Coming from Healthchecks?', body: comingOver(href) })}</div>`,
  }
}

function comingOver(href: Href): Html {
  return html`<div class="stack"><p>You can import entire projects, with the UUIDs of their checks, their keys and their history.</p><div class="acts">${linkButton({ text: 'Import projects', href: href('/admin/import') })}</div></div>`
}

function nameOf({ name }: Check): Html | string {
  return name === '' ? 'the check' : html`<b>${bdi(name)}</b>`
}

function rhythm({ kind, timeoutSeconds }: Check): string {
  if (kind !== 'simple') return 'on its schedule'
  return timeoutSeconds === DAY_SECONDS
    ? 'once a day'
    : `every ${periodInWords(timeoutSeconds).replace(/^1 (?=\w+$)/, '')}`
}

/** Renders the lines to add to the job. They stay visible after the ping has arrived, because it may have been a test. */
function lines({ check, pingUrl, snippet, links, isAdministrator, now }: FirstPingData): Html {
  return html`${snippetPicker({ chosen: snippet, pingUrl, check, now, siteRoot: links.siteRoot })}${pingUrlField(pingUrl)}${pingNote(links, isAdministrator)}`
}

function waiting(action: string): Html {
  return html`<div class="wait"><span class="live" aria-hidden="true"></span><div><p role="status"><b>Waiting for the first ping…</b></p><p class="help">Run the job, or send a test ping, which counts like a ping from the job (same as “Ping now”). This page updates itself.</p><noscript><p class="help"><a href="${action}">Reload to see whether it arrived</a></p></noscript></div><form method="post" action="${action}">${submit({ text: 'Send a test ping', field: PING })}</form></div>`
}

/** Renders the result of the first ping. */
function outcome(data: FirstPingData): Html | null {
  const { check, untold, uncounted, now } = data
  if (uncounted.length > 0) return note('late', sentenceHtml(uncounted, data))
  if (check.status === 'down') return note('down', 'The check is down until a ping reports success.')
  if (check.lastStartAt !== null) return note('up', 'The job is running. The ping that ends its run is expected next.')
  const next = expectedIfReadable(check)
  if (next === null || isBefore(next, now)) return null
  return note(
    'up',
    html`${untold === null && 'You’re set. '}${sentenceHtml(['Next ping expected ', { at: next }, '.'], data)}`,
  )
}

function alertsNoOne(untold: Untold, data: FirstPingData): Html {
  const add = html`<a href="${addPath(data)}">Add an integration</a>`
  const what = data.hasIntegrations
    ? html`${add}, or <a href="${choosePath(data)}">use an existing one</a>.`
    : html`${add}.`
  return html`<b>${sentenceHtml(untoldSentence(untold), data)}</b> ${what}`
}

function addPath({ href, slug }: FirstPingData): string {
  return href(`${projectPath(slug, 'integrations')}#add`)
}

function choosePath({ href, slug, check }: FirstPingData): string {
  return href(editPath(slug, check.publicId, 'alerts'))
}

/** Renders links to the next steps. The most important one is adding an integration for alerts. */
function nextButtons(data: FirstPingData): Html {
  const { check, untold, href, checksPath, hasIntegrations } = data
  const isReady = untold === null && check.nPings > 0
  const choose = linkButton({
    text: 'Choose who is alerted',
    look: 'primary',
    href: hasIntegrations ? choosePath(data) : addPath(data),
  })
  return html`${untold !== null && choose}${linkButton({ text: 'Go to checks', look: isReady ? 'primary' : 'plain', href: href(checksPath) })}`
}

function whatHappens(isUntold: boolean): Html {
  return html`<ol class="line"><li>${stateShape('new')}<p><b>New</b> until the first ping.</p></li><li>${stateShape('up')}<p><b>Up</b> as long as pings arrive in time.</p></li><li>${stateShape('late')}<p><b>Late</b> when a ping is due but still within the grace time. No alert is sent yet.</p></li><li>${stateShape('down')}<p><b>Down</b> when the grace time is over. ${isUntold ? 'An alert would be sent if the check had a working integration.' : 'An alert is sent.'}</p></li></ol>`
}
