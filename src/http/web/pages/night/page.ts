/** The night: all checks that the reader may see against one clock. */
import type { JudgedRow } from '../../../../domain/night/night.ts'
import { clockOf } from '../../../../domain/night/outcome-words.ts'
import { nameOf } from '../../../../domain/night/sentence.ts'
import { togetherSentence } from '../../../../domain/night/together.ts'
import { latestDay, type NightWindow, nightOf, presentEvening } from '../../../../domain/night/window.ts'
import { dateWords, dayWords } from '../../../../lib/time-words.ts'
import type { ReadNight } from '../../../../services/overview/night.ts'
import type { PageContext } from '../../context.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { empty } from '../../parts/empty.ts'
import { icon } from '../../parts/icons.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { bdi, counted, shown } from '../../parts/words/text.ts'
import type { FrameContent } from '../../route.ts'
import { HATCH, nightLegend } from './drawing.ts'
import { type NightQuery, neighbours, nightHref } from './query.ts'
import { projectTable } from './table.ts'

export function nightPage(read: ReadNight, query: NightQuery, context: PageContext): FrameContent {
  const { tz } = context
  const title = windowTitle(query, tz)
  const where = `All your checks in ${counted(read.projects, 'project', 'projects')}.`
  return {
    layout: 'frame',
    title,
    ...(query.isPresent && query.marked === null && { live: `/live?view=${query.window.view}` }),
    intro: `${where} Times in ${shown(tz.replaceAll('_', ' '))}.`,
    actions: moves(query.window, context),
    body: html`${HATCH}${nightBody(read, query, context)}`,
  }
}

/** All that changes while the page is open. */
export function nightBody(read: ReadNight, query: NightQuery, context: PageContext): Html {
  if (read.checks === 0 && read.night.groups.every(({ place }) => place.isRead))
    return html`<div id="night">${noChecks()}</div>`
  const { night } = read
  const groups = night.groups.filter(
    ({ place, open, folded, frequent, frequentTrouble, notDue }) =>
      !place.isRead || [open, folded, frequent, frequentTrouble, notDue].some(({ length }) => length > 0),
  )
  const table = { ...context, marked: query.marked }
  return html`<div class="stack" id="night">${summary(read, query, context)}${groups.map((group, index) => projectTable(night, group, index === 0, table))}${nightLegend()}</div>`
}

function noChecks(): Html {
  return empty({ title: 'No checks yet', text: 'Add a check, and tomorrow this shows how the night went.' })
}

function summary(read: ReadNight, { window }: NightQuery, context: PageContext): Html {
  const { sentence, night } = read
  const { now, tz, href } = context
  const rows = night.groups.flatMap(({ open }) => open)
  const named = (outcome: JudgedRow['outcome'], words: string) =>
    namesOf(
      words,
      rows.filter((row) => row.outcome === outcome),
    )
  const together = night.groups.flatMap((group) => group.together)
  const isTooOld = read.reachesTo !== null && window.until <= read.reachesTo
  const day = isTooOld && `The log reaches back to ${dayWords(read.reachesTo ?? 0, tz)}.`
  const isEmpty = night.counts.due === 0 && !isTooOld && window.view === 'night'
  return html`<section class="card" aria-label="Summary"><div class="body"><p class="sum">${sentence.away !== '' && html`<b>${sentence.away}</b> `}${isTooOld ? day : html`<b>${sentence.counts}</b> ${sentenceHtml(sentence.more, { now, tz })}`}${isEmpty && html` <a href="${href(nightHref(latestDay(now.epochMilliseconds, tz)))}">See 24 hours.</a>`}</p><p>${named('missing', 'Missing')}${named('failed', 'Failed')}${together.map((group) => html`${sentenceHtml(togetherSentence(group, tz), { now, tz })} `)}</p></div></section>`
}

const NAMED = 10

function namesOf(words: string, rows: readonly JudgedRow[]): HtmlValue {
  if (rows.length === 0) return null
  const names = rows.slice(0, NAMED).map((row, index) => html`${index > 0 && ', '}${bdi(nameOf(row))}`)
  const rest = rows.length - names.length
  return html`${words}: ${names}${rest > 0 && ` and ${rest.toLocaleString('en')} more`}. `
}

function moves(window: NightWindow, { href, now, tz }: PageContext): Html {
  const at = now.epochMilliseconds
  const { before, after } = neighbours(window, at, tz)
  const views = [
    { view: 'night', text: 'Night, 18–08', target: nightOf(presentEvening(at, tz), tz) },
    { view: '24h', text: '24 hours', target: latestDay(at, tz) },
  ] as const
  const links = views.map(
    ({ view, text, target }) =>
      html`<a href="${href(view === 'night' ? nightHref(target) : '/night?view=24h')}"${view === window.view && html` aria-current="true"`}>${text}</a>`,
  )
  const move = (to: NightWindow | null, symbol: 'left' | 'right', words: string) =>
    to !== null && html`<a class="btn icon" href="${href(nightHref(to))}" aria-label="${words}">${icon(symbol)}</a>`
  const what = window.view === 'night' ? 'night' : '24 hours'
  return html`<nav class="seg" aria-label="View">${links}</nav>${move(before, 'left', `The ${what} before`)}${move(after, 'right', `The next ${what}`)}`
}

function windowTitle({ window, isPresent }: NightQuery, tz: string): string {
  if (window.view === '24h') {
    return isPresent ? 'The last 24 hours' : `24 hours from ${dateWords(window.from, tz)}, ${clockOf(window.from, tz)}`
  }
  const { evening } = window
  const morning = evening.add({ days: 1 })
  const month = (date: typeof evening) => date.toLocaleString('en', { month: 'long' })
  const begin = evening.month === morning.month ? String(evening.day) : `${evening.day} ${month(evening)}`
  return `Night of ${begin} to ${morning.day} ${month(morning)}`
}
