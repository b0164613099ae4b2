/** The links to recent nights. Each icon shows whether runs were missing, runs failed, or nothing went wrong. */
import type { PastNight } from '../../../../domain/night/past-nights.ts'
import type { NightWindow } from '../../../../domain/night/window.ts'
import type { PageContext } from '../../context.ts'
import { Html, html } from '../../html.ts'
import { numbered } from '../../parts/words/text.ts'
import { followingHref } from './query.ts'

// Don't use `toLocaleString`: it creates a formatter on every call, which takes half a millisecond.
const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
const MONTH = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' })

export function nightsStrip(
  nights: readonly PastNight[],
  shown: NightWindow,
  { href, now, tz }: Pick<PageContext, 'href' | 'now' | 'tz'>,
): Html {
  const items = nights.map((night, index) => {
    const { evening, from } = night.window
    const isShown = shown.view === 'night' && shown.from === from
    // Group the nights by week, because fourteen dates in a row are hard to tell apart.
    const hasMonth = isShown || index % 7 === 0 || evening.day === 1
    const words =
      numbered([night.missing, 'missing'], [night.failed, 'failed']).join(', ') ||
      calmWords(night, now.epochMilliseconds)
    const midnight = evening.toZonedDateTime('UTC').epochMilliseconds
    const day = DAY.format(midnight).replace(',', '')
    return html`<li><a href="${href(followingHref(night.window, now.epochMilliseconds, tz))}"${isShown && html` aria-current="page"`} aria-label="Night of ${day}: ${words}"><span>${evening.day}${hasMonth && ` ${MONTH.format(midnight)}`}</span>${shape(night, now.epochMilliseconds)}</a></li>`
  })
  return html`<nav aria-label="Nights"><ol class="nights">${items}</ol></nav>`
}

function calmWords({ isKnown, window }: PastNight, now: number): string {
  if (window.from > now) return 'to come'
  return isKnown ? 'nothing missing or failed' : 'nothing is known'
}

function shape({ missing, failed, isKnown, window }: PastNight, now: number): Html {
  const [box, stroke] = [missing > 0, failed > 0]
  const both = box && stroke
  const boxPath = `<path class="ms" d="M${both ? 1 : 5.5} 1.5h7v7h-7z"/>`
  const strokePath = `<path class="fl" d="M${both ? 14 : 9} 0v10"/>`
  const isCalm = !box && !stroke && isKnown && window.from <= now
  const drawn = `${box ? boxPath : ''}${stroke ? strokePath : ''}${isCalm ? '<path class="ok" d="M9 3v6"/>' : ''}`
  // Skipping the escaping is safe here, because the markup consists only of numbers and constants.
  return html`<svg viewBox="0 0 18 10" aria-hidden="true">${new Html(drawn)}</svg>`
}
