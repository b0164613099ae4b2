/**
 * A check as a row of the list. A page may have thousands: optional end tags are left out, cells have no classes (the style sheet selects
 * them by their number), and addresses are relative to the page of the checks.
 */

import { LRUCache } from 'lru-cache'
import { doubtOf } from '../../../../domain/advice/doubt.ts'
import { adviceWords } from '../../../../domain/advice/fix-words.ts'
import type { Check } from '../../../../domain/check/check.ts'
import type { RunMark } from '../../../../domain/check/run-history.ts'
import { scheduleWords } from '../../../../domain/check/schedule-words.ts'
import { deadline, expectedIfReadable } from '../../../../domain/check/status.ts'
import { splitTags } from '../../../../domain/check/tags.ts'
import type { CheckView } from '../../../../domain/list/check-view.ts'
import { lastRunDuration } from '../../../../domain/ping/overlap.ts'
import { stripOf, stripText, stripWords } from '../../../../domain/run/strip.ts'
import { idleSentence } from '../../../../domain/sentence/idle-sentence.ts'
import { sentenceOf } from '../../../../domain/sentence/sentence.ts'
import { silencedBy } from '../../../../domain/silence/silenced-by.ts'
import type { SilencesOf } from '../../../../domain/silence/silences-of.ts'
import { atMost } from '../../../../lib/caches/at-most.ts'
import { type Instant, isBefore } from '../../../../lib/time.ts'
import { clockWords, durationWords, inOneUnit } from '../../../../lib/time-words.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { icon } from '../../parts/icons.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { STATE_WORDS } from '../../parts/words/states.ts'
import { bdi, shown } from '../../parts/words/text.ts'
import { briefTime } from '../../parts/words/times.ts'
import type { DayCells } from './day.ts'

/** An integration as a row names it. */
interface NamedChannel {
  readonly name: string
  /** number in order of creation; older ones have lower numbers */
  readonly place: number
}

/** The integrations of the project by id, in order of creation. */
export type ChannelNames = ReadonlyMap<string, NamedChannel>

export interface CheckRowContext {
  readonly now: Instant
  /** zone of the reader's account, IANA name */
  readonly tz: string
  /** true: the row has a box to select it */
  readonly canWrite: boolean
  readonly channels: ChannelNames
  /** silences that have not ended */
  readonly silencesOf: SilencesOf
  /** cells of the last 24 hours, shown instead of the last runs; null: the row shows these */
  readonly days: DayCells | null
}

/** Most tags that are shown; the others are a number with a title. */
const TAGS_SHOWN = 3

/** Lengths of texts that fit into their column; longer texts are in their title too. */
const NAME_FITS = 28
const SCHEDULE_FITS = 24
const CHANNEL_FITS = 14

/** Most integrations that a title names. */
const CHANNELS_NAMED = 10

/** Number of cells. The first is empty for a reader, so that each cell has the same number for everybody. */
export const CHECK_COLUMNS = 9

/** Returns `<tr id=c…>`, equal for all readers with the same zone and right. Nothing in it is a secret. */
export function checkRow(view: CheckView, context: CheckRowContext): Html {
  const { check, state, expected } = view
  const { publicId: id } = check
  const { now, canWrite, days } = context
  const runs = stripOf(check, now, expected)
  return html`<tr id=c${id} class=${classes(view)}><td>${canWrite && html`<input type=checkbox name=c value=${id} aria-label=Select>`}<td>${STATE_WORDS[state]}<th scope=row><a href=checks/${id}${check.name.length > NAME_FITS && html` title="${shown(check.name)}"`}>${name(check.name)}</a>${bulb(view)}${mutedUntil(view, context)}${tags(check.tags)}${sentence(view, context, runs)}${schedule(view)}${alerts(view, context)}<td>${days === null && lastPing(view, context)}<td>${next(view, context)}${days === null ? html`${took(view)}${strip(runs)}` : html`<td>${days.get(check.id) ?? html`<td>`}`}
`
}

function strip(runs: readonly RunMark[]): Html {
  return html`<td data-r="${stripText(runs)}">${stripWords(runs) || 'no runs'}`
}

/**
 * Returns classes by which the script and the style sheet select rows: the state, a slow run, and a check that alerts nobody or was never
 * pinged.
 */
function classes({ state, isSlow, advice }: CheckView): HtmlValue {
  const doubt = doubtOf(advice)
  if (!isSlow && doubt === null) return state
  return html`"${[state, ...(isSlow ? ['slow'] : []), ...(doubt === null ? [] : [doubt])].join(' ')}"`
}

/** Links to the advice on the page of the check. */
function bulb({ check: { publicId }, advice }: CheckView): HtmlValue {
  if (advice === null) return null
  const words = `Advice: ${adviceWords(advice)}`
  return html`<a class=bulb href=checks/${publicId}#advice title="${words}" aria-label="${words}">${BULB}</a>`
}

const BULB = icon('bulb')

/** Shows a crossed-out bell, and the end of the mute. */
function mutedUntil({ check }: CheckView, { silencesOf, now, tz }: CheckRowContext): HtmlValue {
  const muted = silencedBy(silencesOf(check), check, now)
  return muted && html`<b>${MUTE}<span class=sr>Muted until </span>${briefTime('clock', muted.until, now, tz)}</b>`
}

const MUTE = icon('mute')

function name(text: string): Html {
  return text === '' ? html`<i>no name</i>` : bdi(text)
}

// A list repeats the same tags.
const tagLinks = new LRUCache<string, Html>({ ...atMost(2_000), memoMethod: linksOf })

/** Returns links to the checks that have the tag. */
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
  const said = sentenceOf(view, runs) ?? idleSentence(view)
  return said.length > 0 && html`<p>${sentenceHtml(said, { now, tz, isBrief: true })}`
}

// A list repeats the same schedules.
const scheduleCells = new LRUCache<string, Html, Check>({
  ...atMost(2_000),
  memoMethod: (_key, _previous, { context }) => scheduleCell(context),
})

/** Shows the schedule of the check, and its grace time. */
function schedule({ check }: CheckView): Html {
  const { kind, timeoutSeconds, schedule, tz, graceSeconds } = check
  const timing = kind === 'simple' ? timeoutSeconds : `${tz} ${schedule}`
  return scheduleCells.memo(`${graceSeconds} ${timing}`, { context: check })
}

function scheduleCell(check: Check): Html {
  const { words, expression } = scheduleWords(check)
  const grace = durationWords(check.graceSeconds)
  const brief = expression === null ? words : html`<code>${shown(expression)}</code>`
  const isLong = expression !== null || words.length + grace.length > SCHEDULE_FITS
  return html`<td${isLong && html` title="${words} · ${grace}"`}>${brief}<i> · ${grace}</i>`
}

/** Cells of equal integrations, which a list repeats, by their ids. */
const alertsCells = new WeakMap<ChannelNames, Map<string, Html>>()

/** Shows the integrations of the check: the oldest, and the number of the others. */
function alerts({ channelIds, advice }: CheckView, { channels }: CheckRowContext): Html {
  if (doubtOf(advice) === 'untold') return NO_ONE
  const cells = alertsCells.get(channels) ?? new Map<string, Html>()
  alertsCells.set(channels, cells)
  const key = channelIds.join()
  const cell = cells.get(key) ?? alertsCell(channelIds, channels)
  cells.set(key, cell)
  return cell
}

function alertsCell(channelIds: readonly string[], channels: ChannelNames): Html {
  const found = channelIds.flatMap((id) => channels.get(id) ?? []).toSorted((a, b) => a.place - b.place)
  const [first] = found
  if (first === undefined) return NO_ONE
  if (found.length === 1 && first.name.length <= CHANNEL_FITS) return html`<td>${bdi(first.name)}`
  const named = found.slice(0, CHANNELS_NAMED).map(({ name }) => shown(name))
  const unnamed = found.length - named.length
  const title = `${named.join(', ')}${unnamed > 0 ? ` and ${unnamed} more` : ''}`
  return html`<td title="${title}">${bdi(first.name)}${found.length > 1 && html`<i>+${found.length - 1}</i>`}`
}

const NO_ONE = html`<td><strong>${MUTE}no one</strong>`

/** Shows the time since the last ping that counted. */
function lastPing({ check }: CheckView, { now, tz }: CheckRowContext): HtmlValue {
  const { lastPingAt, nPings } = check
  if (lastPingAt === null) return nPings === 0 ? 'never' : '–'
  return briefTime('since', lastPingAt, now, tz)
}

/** Shows the duration of the last run. */
function took({ check }: CheckView): Html {
  const microseconds = lastRunDuration(check)
  const exact = durationWords(microseconds === null ? null : microseconds / 1_000_000)
  const words = inOneUnit(exact)
  return html`<td${exact !== words && html` title="${exact}"`}>${words}`
}

/** Shows the time at which the next ping is due, or since which it is overdue. */
function next({ check, state, expected }: CheckView, { now, tz }: CheckRowContext): HtmlValue {
  if (state === 'started') {
    const due = deadline(check, expected)
    if (due === null) return '–'
    const isToday = !clockWords(due.epochMilliseconds, now.epochMilliseconds, tz).includes(' ')
    return isToday ? html`ends by ${briefTime('clock', due, now, tz)}` : html`ends ${briefTime('near', due, now, tz)}`
  }
  if (state === 'new') return '–'
  // A check that is down expects no run, but the missing run has a time.
  const at = state === 'down' ? expectedIfReadable({ ...check, status: 'up' }) : expected
  if (at === null || state === 'paused') return '–'
  const time = briefTime('near', at, now, tz)
  return isBefore(at, now) ? html`<b>${time}</b>` : time
}
