/** The page for a night. It shows all checks that the reader may see on a single time axis. */
import type { MutedTogether } from '../../../../domain/night/muted.ts'
import type { JudgedRow } from '../../../../domain/night/night.ts'
import { clockOf } from '../../../../domain/night/outcome-words.ts'
import { mutedSentence, nameOf } from '../../../../domain/night/sentence.ts'
import { togetherSentence } from '../../../../domain/night/together.ts'
import { latestDay, type NightWindow } from '../../../../domain/night/window.ts'
import { dateWords, dayWords } from '../../../../lib/time-words.ts'
import type { PageContext } from '../../context.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { empty } from '../../parts/empty.ts'
import { icon } from '../../parts/icons.ts'
import { HATCH, nightLegend } from '../../parts/night/drawing.ts'
import { nightSum } from '../../parts/night/sentence.ts'
import { sentenceHtml, type Zone } from '../../parts/words/sentence.ts'
import { bdi, counted, shown } from '../../parts/words/text.ts'
import type { FrameContent } from '../../route.ts'
import { nightsStrip } from './nights.ts'
import { followingHref, hourBeside, type NightQuery, neighbours, nightHref } from './query.ts'
import type { ShownNight } from './shown-night.ts'
import { projectTable } from './table.ts'

export function nightPage(night: ShownNight, context: PageContext): FrameContent {
  const { tz } = context
  const { query } = night
  const title = windowTitle(query, context)
  const where = `All your checks in ${counted(night.projects, 'project', 'projects')}.`
  return {
    layout: 'frame',
    title,
    ...(query.isPresent && query.marked === null && { live: `/live?view=${query.window.view}` }),
    intro: `${where} Times in ${shown(tz.replaceAll('_', ' '))}.`,
    actions: moves(query.window, context),
    body: html`${HATCH}${nightBody(night, context)}`,
  }
}

/** Renders everything that may change while the page is open. */
export function nightBody(shownNight: ShownNight, context: PageContext): Html {
  const { night, query, checks } = shownNight
  if (checks === 0 && night.groups.every(({ place }) => place.isRead)) return html`<div id="night">${noChecks()}</div>`
  const groups = night.groups.filter(
    ({ place, open, folded, frequent, frequentTrouble, notDue }) =>
      !place.isRead ||
      (!isTooOld(shownNight) && [open, folded, frequent, frequentTrouble, notDue].some(({ length }) => length > 0)),
  )
  const table = { ...context, marked: query.marked }
  return html`<div class="stack" id="night">${summary(shownNight, context)}${groups.map((group, index) => projectTable(night, group, index === 0, table))}${nightLegend()}</div>`
}

function noChecks(): Html {
  return empty({ title: 'No checks yet', text: 'Add a check. Tomorrow, this page will show how the night went.' })
}

function summary(shownNight: ShownNight, context: PageContext): Html {
  const { sentence, night, nights, query } = shownNight
  const { now, tz, href } = context
  const rows = night.groups.flatMap(({ open }) => open)
  const named = (outcome: JudgedRow['outcome'], words: string) =>
    namesOf(
      words,
      rows.filter((row) => row.outcome === outcome),
    )
  const together = night.groups.flatMap((group) => group.together)
  const isOld = isTooOld(shownNight)
  const isEmpty = !isOld && night.counts.due === 0 && query.window.view === 'night'
  const day = html`<a href="${href(nightHref(latestDay(now.epochMilliseconds, tz)))}">See 24 hours.</a>`
  const reach = `The log reaches back to ${dayWords(shownNight.reachesTo ?? 0, tz)}.`
  const said = isOld ? { ...sentence, counts: reach, more: [] } : sentence
  return html`<section class="card" aria-label="Summary"><div class="body"><p class="sum">${nightSum(said, { now, tz })}${isEmpty && day}</p><p>${named('missing', 'Missing')}${named('failed', 'Failed')}${together.map((group) => html`${sentenceHtml(togetherSentence(group, tz), { now, tz })} `)}${mutedWords(
    night.groups.flatMap(({ muted }) => muted),
    context,
  )}${countedWords(rows)}</p></div>${nightsStrip(nights, query.window, context)}</section>`
}

/** Returns whether the night is too long ago to be in the logs. */
function isTooOld({ night: { groups, window }, reachesTo }: ShownNight): boolean {
  const isUnknown = groups.every(({ open, frequent, frequentTrouble }) =>
    [open, frequent, frequentTrouble].every(({ length }) => length === 0),
  )
  return isUnknown && reachesTo !== null && window.until <= reachesTo
}

function countedWords(rows: readonly JudgedRow[]): string | false {
  const number = rows.filter(({ isCounted }) => isCounted).length
  if (number === 0) return false
  const whose =
    number === rows.length
      ? 'The log no longer reaches back to this night'
      : `The logs of ${counted(number, 'check', 'checks')} no longer reach back to this night`
  return `${whose}, so rows show daily totals. If there were several runs in a day, the totals do not show how long each took or which of them failed. `
}

/** Maximum number of mutes to describe. Any further mutes are drawn but not described. */
const MUTES = 5

function mutedWords(muted: readonly MutedTogether[], zone: Zone): HtmlValue {
  const rest = muted.length - MUTES
  const sentences = muted.slice(0, MUTES).map((one) => html`${sentenceHtml(mutedSentence(one), zone)} `)
  return [...sentences, rest > 0 && `${counted(rest, 'more mute', 'more mutes')}. `]
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
  const hour = hourBeside(window, at, tz)
  const isShown = (view: NightWindow['view']) => view === window.view && html` aria-current="true"`
  const move = (to: NightWindow | null, symbol: 'left' | 'right', key: string, words: string) =>
    to !== null &&
    html`<a class="btn icon" href="${href(followingHref(to, at, tz))}" data-key="${key}" aria-label="${words}">${icon(symbol)}</a>`
  // The script uses these links for keyboard shortcuts and for dragging the axis.
  const step = (to: NightWindow | null, key: string) =>
    to !== null && html`<a href="${href(nightHref({ ...to, isMoved: true }))}" data-key="${key}" hidden></a>`
  const what = window.view === 'night' ? 'night' : '24 hours'
  return html`<nav class="seg" aria-label="View"><a href="${href('/night')}" data-key="t"${isShown('night')}>Night, 18–08</a><a href="${href('/night?view=24h')}"${isShown('24h')}>24 hours</a></nav>${move(before, 'left', '[', `The ${what} before`)}${move(after, 'right', ']', `The next ${what}`)}${step(hour.before, 'Shift+ArrowLeft')}${step(hour.after, 'Shift+ArrowRight')}`
}

function windowTitle({ window, isPresent }: NightQuery, { now, tz }: PageContext): string {
  if (window.view === '24h' || window.isMoved) {
    const hours = window.hours.length - 1
    return isPresent
      ? 'The last 24 hours'
      : `${hours} hours from ${dateWords(window.from, tz)}, ${clockOf(window.from, tz)}`
  }
  const { evening } = window
  const morning = evening.add({ days: 1 })
  const month = (date: typeof evening) => date.toLocaleString('en', { month: 'long' })
  const begin = evening.month === morning.month ? String(evening.day) : `${evening.day} ${month(evening)}`
  const isThisYear = [evening.year, morning.year].includes(now.toZonedDateTimeISO(tz).year)
  return `Night of ${begin} to ${morning.day} ${month(morning)}${isThisYear ? '' : ` ${morning.year}`}`
}
