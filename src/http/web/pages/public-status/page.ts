/** The public status page. */

import type { ShownState } from '../../../../domain/check/shown-check.ts'
import { sinceWords, upWords } from '../../../../domain/run/downtime.ts'
import {
  type Disruption,
  PUBLIC_WORDS,
  type PublicSection,
  type PublicService,
  type PublicState,
  type PublicStatus,
  type Summary,
  summarySentence,
} from '../../../../domain/status-page/public-status.ts'
import { type Instant, microsecondsBetween } from '../../../../lib/time.ts'
import { durationWords } from '../../../../lib/time-words.ts'
import type { Href } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { documentHtml } from '../../layout/document.ts'
import { daysBar } from '../../parts/days-bar.ts'
import { linkedText } from '../../parts/linked-text.ts'
import { type Clock, createClock, timeTag } from '../../parts/words/clock.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { stateShape } from '../../parts/words/states.ts'
import { bdi } from '../../parts/words/text.ts'

const SECOND = 1_000_000

const SHAPES: Readonly<Record<PublicState, ShownState>> = {
  working: 'up',
  late: 'late',
  delayed: 'down',
  paused: 'paused',
  new: 'new',
}

/** The data that each part of the page needs. */
interface Context extends Clock {
  readonly at: Instant
  readonly tz: string
}

interface PublicStatusLook {
  readonly href: Href
  /** false if the page is not public; its URL, feed and JSON then return 404 */
  readonly isPublic: boolean
  /** path of the settings page, if this is a preview */
  readonly settings?: string
}

/** Renders the entire document. The script replaces the contents of `#status`. */
export function publicStatusPage(status: PublicStatus, { href, isPublic, settings }: PublicStatusLook): Html {
  const { title, text, tz, at, slug } = status
  const context: Context = { ...createClock(at, tz), at, tz }
  const path = href(`/status/${slug}`)
  const forms = isPublic && html`<p><a href="${path}.atom">Feed</a> <a href="${path}.json">JSON</a></p>`
  const body = html`<a class="skip" href="#main">Skip to content</a>
<main id="main" class="public" tabindex="-1">
${settings !== undefined && previewNote(href(settings), isPublic)}<div id="status">
<header class="pub-h"><h1>${bdi(title)}</h1>${text !== '' && html`<p class="muted">${linkedText(text)}</p>`}</header>
${summaryCard(status.summary, context)}
${status.sections.map((section) => sectionHtml(section, tz))}
${disruptionsHtml(status, context)}
<footer class="pub-f"><p>As of ${timeTag(at, context.time(at), tz)}. Times are in ${tz.replaceAll('_', ' ')}.</p>${forms}<p>Runs on Overdue</p></footer>
</div>
</main>`
  const links = html`<link rel="alternate" type="application/atom+xml" title="Incidents" href="${path}.atom">
<link rel="alternate" type="application/json" href="${path}.json">
`
  // Don't include the name of the project or the site in the page's title.
  const site = { name: title, href }
  return documentHtml({
    site,
    titles: [title],
    reader: null,
    tz,
    look: 'plain',
    styles: ['status.css'],
    script: 'status.js',
    ...(isPublic && { head: links }),
    body,
  })
}

/** Renders the note at the top of a preview, outside the part that the script replaces. */
function previewNote(settings: string, isPublic: boolean): Html {
  const who = isPublic
    ? 'Everyone else sees this page without this note.'
    : 'Nobody else sees this page: it is not public.'
  return html`<div class="note preview"><p><b>Preview.</b> ${who} <a href="${settings}">Back to the settings</a></p></div>
`
}

function summaryCard(summary: Summary, { at, tz }: Context): Html {
  const { state, working, watched } = summary
  const isMostlyWorking = state === 'delayed' && 2 * working >= watched
  const shape = isMostlyWorking ? 'late' : SHAPES[state]
  const words = sentenceHtml(summarySentence(summary), { now: at, tz })
  return html`<section class="card big-say" aria-label="Now"><div class="say ${shape}">${stateShape(shape, 'big')}<div><p>${words}</p></div></div></section>`
}

function sectionHtml({ name, services }: PublicSection, tz: string): Html {
  return html`<section><h2 class="pub-g">${bdi(name)}</h2><div class="card">${services.map((service) => serviceHtml(service, tz))}</div></section>`
}

function serviceHtml({ name, text, state, days, total }: PublicService, tz: string): Html {
  const shape = SHAPES[state]
  return html`<div class="svc"><div class="svc-h"><h3>${bdi(name)}</h3><span class="word ${shape}">${stateShape(shape)}<span>${PUBLIC_WORDS[state]}</span></span></div>${
    text !== '' && html`<p class="help">${linkedText(text)}</p>`
  }${daysBar(days)}<div class="ends"><span>${days.length} days ago</span><span class="num">${total && upWords(total, tz)}</span><span>today</span></div></div>`
}

function disruptionsHtml({ disruptions, sections }: PublicStatus, context: Context): Html {
  const items = disruptions.map((disruption) => {
    const shape = stateShape(disruption.until === null ? 'down' : 'up')
    return html`<li>${shape}<p><b>${bdi(disruption.name)}</b> ${disruptionWords(disruption, context)}</p></li>`
  })
  const list =
    items.length > 0
      ? html`<ol class="line">${items}</ol>`
      : html`<p class="muted">${noDisruptionWords(sections, context.tz)}</p>`
  return html`<section><h2 class="pub-g">Incidents</h2><div class="card"><div class="body">${list}</div></div></section>`
}

/**
 * Returns a sentence that says how long there have been no disruptions. It covers the entire period in which at least one service was
 * monitored.
 */
function noDisruptionWords(sections: readonly PublicSection[], tz: string): string {
  const totals = sections
    .flatMap(({ services }) => services.map(({ total }) => total))
    .filter((total) => total !== null)
  const [longest] = totals.toSorted((a, b) => b.watched - a.watched)
  if (longest === undefined) return 'None yet.'
  return `None ${sinceWords(longest, tz) ?? 'in the last 90 days'}.`
}

/** Renders a phrase such as `not working from 5 Sep, 01:50 to 6 Sep, 21:10, 19 h 20 min`. */
function disruptionWords({ from, until }: Disruption, { day, time, tz }: Context): HtmlValue {
  const begin = timeTag(from, `${day(from)}, ${time(from)}`, tz)
  if (until === null) return html`not working since ${begin}.`
  const isSameDay = day(from) === day(until)
  const end = timeTag(until, isSameDay ? time(until) : `${day(until)}, ${time(until)}`, tz)
  return html`not working from ${begin} to ${end}, ${durationWords(microsecondsBetween(from, until) / SECOND)}.`
}
