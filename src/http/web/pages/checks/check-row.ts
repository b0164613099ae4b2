/**
 * A check as a row of the list. A page may have thousands: optional end tags are left out, cells have no classes (the style
 * sheet knows them by their number), and addresses are relative to the page of the checks.
 */

import { LRUCache } from 'lru-cache'
import { doubtOf } from '../../../../domain/advice/doubt.ts'
import { adviceWords } from '../../../../domain/advice/fix-words.ts'
import type { RunMark } from '../../../../domain/check/run-history.ts'
import { scheduleWords } from '../../../../domain/check/schedule-words.ts'
import { deadline, expectedIfReadable } from '../../../../domain/check/status.ts'
import { splitTags } from '../../../../domain/check/tags.ts'
import type { CheckView } from '../../../../domain/list/check-view.ts'
import { lastRunDuration } from '../../../../domain/ping/overlap.ts'
import { stripOf, stripText, stripWords } from '../../../../domain/run/strip.ts'
import { noPingWords, sentenceOf } from '../../../../domain/sentence/sentence.ts'
import { atMost } from '../../../../lib/caches/at-most.ts'
import { type Instant, isBefore } from '../../../../lib/time.ts'
import { durationWords } from '../../../../lib/time-words.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { icon } from '../../parts/icons.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { STATE_WORDS } from '../../parts/words/states.ts'
import { bdi, shown } from '../../parts/words/text.ts'
import { briefTime } from '../../parts/words/times.ts'

export interface CheckRowContext {
  readonly now: Instant
  /** of the reader's account, IANA name */
  readonly tz: string
  /** true: the row has a box to select it */
  readonly canWrite: boolean
}

/** More are a number with a title. */
const TAGS_SHOWN = 3

/** Number of cells. The first is empty for a reader, so that each cell has its number for everybody. */
export const CHECK_COLUMNS = 8

/** One `<tr id=c…>`, the same for all readers with the same zone and right. Nothing in it is a secret. */
export function checkRow(view: CheckView, context: CheckRowContext): Html {
  const { check, state, expected } = view
  const { publicId: id } = check
  const lastDuration = lastRunDuration(check)
  const { now, canWrite } = context
  const runs = stripOf(check, now, expected)
  return html`<tr id=c${id} class=${classes(view)}><td>${canWrite && html`<input type=checkbox name=c value=${id} aria-label=Select>`}<td>${STATE_WORDS[state]}<th scope=row><a href=checks/${id}>${name(check.name)}</a>${bulb(view)}${tags(check.tags)}${sentence(view, context, runs)}<td>${schedule(view)}<td>${lastPing(view, context)}<td>${next(view, context)}<td>${durationWords(lastDuration === null ? null : lastDuration / 1_000_000)}<td data-r="${stripText(runs)}">${stripWords(runs) || 'no runs'}
`
}

/** The script and the style sheet know a row by its state, by what is unusual about it, and if nobody would hear of it. */
function classes({ state, isSlow, isResumed, advice }: CheckView): HtmlValue {
  const doubt = doubtOf(advice)
  if (!isSlow && !isResumed && doubt === null) return state
  const names = [
    state,
    ...(isSlow ? ['slow'] : []),
    ...(isResumed ? ['resumed'] : []),
    ...(doubt === null ? [] : [doubt]),
  ]
  return html`"${names.join(' ')}"`
}

/** Leads to the advice on the page of the check. */
function bulb({ check: { publicId }, advice }: CheckView): HtmlValue {
  if (advice === null) return null
  const words = `Advice: ${adviceWords(advice)}`
  return html`<a class=bulb href=checks/${publicId}#advice title="${words}" aria-label="${words}">${BULB}</a>`
}

const BULB = icon('bulb')

function name(text: string): Html {
  return text === '' ? html`<i>no name</i>` : bdi(text)
}

// A list has the same tags again and again.
const tagLinks = new LRUCache<string, Html>({ ...atMost(2_000), memoMethod: linksOf })

/** Links to the checks that have the tag. */
function tags(text: string): HtmlValue {
  return text !== '' && tagLinks.memo(text)
}

function linksOf(text: string): Html {
  const all = splitTags(text)
  const rest = all.slice(TAGS_SHOWN)
  const links = all.slice(0, TAGS_SHOWN).map((tag) => html` <a href="?${tagQuery(tag)}">${shown(tag)}</a>`)
  return html`${links}${rest.length > 0 && html` <i title="${rest.map(shown).join(' ')}">+${rest.length}</i>`}`
}

function tagQuery(tag: string): string {
  return `tag=${encodeURIComponent(tag.toWellFormed())}`
}

function sentence(view: CheckView, { now, tz }: CheckRowContext, runs: readonly RunMark[]): HtmlValue {
  const said = sentenceOf(view, runs)
  return said !== null && html`<p>${sentenceHtml(said, { now, tz, isBrief: true })}`
}

function schedule({ check }: CheckView): HtmlValue {
  const { words, expression } = scheduleWords(check)
  return expression === null ? words : html`<code title="${words}">${shown(expression)}</code>`
}

/** The last one that counted. */
function lastPing(view: CheckView, { now, tz }: CheckRowContext): HtmlValue {
  const { lastPingAt } = view.check
  return lastPingAt === null ? noPingWords(view) : briefTime('ago', lastPingAt, now, tz)
}

/** Time at which the next ping is due, or since which it is overdue. */
function next({ check, state, expected, isResumed }: CheckView, { now, tz }: CheckRowContext): HtmlValue {
  if (state === 'started') {
    const due = deadline(check, expected)
    return due === null ? '–' : html`due by ${briefTime('clock', due, now, tz)}`
  }
  if (state === 'new') return isResumed ? 'after the next ping' : 'after the first ping'
  // A check that is down expects nothing, but the run that did not come has its time.
  const at = state === 'down' ? expectedIfReadable({ ...check, status: 'up' }) : expected
  if (at === null || state === 'paused') return '–'
  const time = briefTime('ago', at, now, tz)
  return isBefore(at, now) ? html`<b>${time}</b>` : time
}
