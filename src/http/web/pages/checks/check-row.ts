/**
 * A check as a row in the list. A page may have thousands of rows, so each row's HTML is kept small: optional end tags are omitted, cells
 * have no classes (the style sheet selects cells by position), and links are relative.
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

/** The parts of an integration that a row shows. */
interface NamedChannel {
  readonly name: string
  /** zero-based position in the list of integrations, oldest first */
  readonly place: number
}

/** The project's integrations by id, oldest first. */
export type ChannelNames = ReadonlyMap<string, NamedChannel>

export interface CheckRowContext {
  readonly now: Instant
  /** IANA time zone from the reader's account settings */
  readonly tz: string
  /** true if the row has a checkbox that selects it */
  readonly canWrite: boolean
  readonly channels: ChannelNames
  /** returns the check's silences that have not ended yet */
  readonly silencesOf: SilencesOf
  /** cells for the last 24 hours; null if rows show the last runs instead */
  readonly days: DayCells | null
}

/** Maximum number of tags to show. Any further tags are listed in the tooltip. */
const TAGS_SHOWN = 3

/** Maximum lengths of text that fits in each column. Longer text also gets a tooltip. */
const NAME_FITS = 28
const SCHEDULE_FITS = 24
const CHANNEL_FITS = 14

/** Maximum number of integrations to list in a tooltip. */
const CHANNELS_NAMED = 10

/** Number of cells in a row. Users with read-only access get an empty first cell, so that a cell's position is the same for all readers. */
export const CHECK_COLUMNS = 9

/** Renders `<tr id=c…>`. It contains no secrets, and is identical for all readers with the same time zone and rights. */
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
 * Returns CSS classes, which the script also uses. They give the state, and whether the last run was slow, the check alerts nobody, or the
 * check was never pinged.
 */
function classes({ state, isSlow, advice }: CheckView): HtmlValue {
  const doubt = doubtOf(advice)
  if (!isSlow && doubt === null) return state
  return html`"${[state, ...(isSlow ? ['slow'] : []), ...(doubt === null ? [] : [doubt])].join(' ')}"`
}

/** Renders a link to the advice on the check's page. */
function bulb({ check: { publicId }, advice }: CheckView): HtmlValue {
  if (advice === null) return null
  const words = `Advice: ${adviceWords(advice)}`
  return html`<a class=bulb href=checks/${publicId}#advice title="${words}" aria-label="${words}">${BULB}</a>`
}

const BULB = icon('bulb')

/** Renders a crossed-out bell, and the time when the mute ends. */
function mutedUntil({ check }: CheckView, { silencesOf, now, tz }: CheckRowContext): HtmlValue {
  const muted = silencedBy(silencesOf(check), check, now)
  return muted && html`<b>${MUTE}<span class=sr>Muted until </span>${briefTime('clock', muted.until, now, tz)}</b>`
}

const MUTE = icon('mute')

function name(text: string): Html {
  return text === '' ? html`<i>no name</i>` : bdi(text)
}

// Many rows have the same tags, so their HTML is cached.
const tagLinks = new LRUCache<string, Html>({ ...atMost(2_000), memoMethod: linksOf })

/** Renders links to lists of the checks with each tag. */
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

// Many rows have the same schedule, so its HTML is cached.
const scheduleCells = new LRUCache<string, Html, Check>({
  ...atMost(2_000),
  memoMethod: (_key, _previous, { context }) => scheduleCell(context),
})

/** Renders the check's schedule and its grace time. */
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

/** Cached cells, keyed by integration ids. Many rows have the same cell. */
const alertsCells = new WeakMap<ChannelNames, Map<string, Html>>()

/** Renders the check's oldest integration, and how many more there are. */
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

/** Renders the time since the last ping that was not ignored. */
function lastPing({ check }: CheckView, { now, tz }: CheckRowContext): HtmlValue {
  const { lastPingAt, nPings } = check
  if (lastPingAt === null) return nPings === 0 ? 'never' : '–'
  return briefTime('since', lastPingAt, now, tz)
}

/** Renders the duration of the last run. */
function took({ check }: CheckView): Html {
  const microseconds = lastRunDuration(check)
  const exact = durationWords(microseconds === null ? null : microseconds / 1_000_000)
  const words = inOneUnit(exact)
  return html`<td${exact !== words && html` title="${exact}"`}>${words}`
}

/** Renders when the next ping is due, or how long it has been overdue. */
function next({ check, state, expected }: CheckView, { now, tz }: CheckRowContext): HtmlValue {
  if (state === 'started') {
    const due = deadline(check, expected)
    if (due === null) return '–'
    const isToday = !clockWords(due.epochMilliseconds, now.epochMilliseconds, tz).includes(' ')
    return isToday ? html`ends by ${briefTime('clock', due, now, tz)}` : html`ends ${briefTime('near', due, now, tz)}`
  }
  if (state === 'new') return '–'
  // While a check is down, no run is expected. Show when the missing run was due.
  const at = state === 'down' ? expectedIfReadable({ ...check, status: 'up' }) : expected
  if (at === null || state === 'paused') return '–'
  const time = briefTime('near', at, now, tz)
  return isBefore(at, now) ? html`<b>${time}</b>` : time
}
