/** The log page. It lists a check's events grouped by day, with the opened ping next to the list. */
import type { Check } from '../../../../domain/check/check.ts'
import type { ListedEntry } from '../../../../domain/log/log-entry.ts'
import type { TimelineLine } from '../../../../domain/log/log-timeline.ts'
import type { EventName } from '../../../../domain/log/timeline-page.ts'
import type { PageContext } from '../../context.ts'
import { checkPath, projectPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { empty } from '../../parts/empty.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { logTable } from '../../parts/log-lines.ts'
import type { FrameContent } from '../../route.ts'
import { filterWords, logFilterBar } from './filter-bar.ts'
import { type LogQuery, searchOf } from './query.ts'

export interface LogData extends PageContext {
  /** the project's slug */
  readonly slug: string
  readonly check: Check
  readonly query: LogQuery
  readonly lines: readonly TimelineLine<ListedEntry>[]
  /** events at which the adjacent pages start; null if there is no such page */
  readonly newer: EventName | null
  readonly older: EventName | null
  /** number of pings and flips in the log, and the number that match the filter */
  readonly count: { readonly kept: number; readonly matching: number }
  /** maximum number of pings that the project keeps for each check */
  readonly pingLimit: number
  /** the opened ping; null if none is open */
  readonly opened: { readonly n: number; readonly title: string; readonly panel: Html } | null
}

export function logPage(data: LogData): FrameContent {
  const { check, slug, count, opened } = data
  const [checkPage, log] = [checkPath(slug, check.publicId), checkPath(slug, check.publicId, 'log')]
  const crumbs = [
    { path: projectPath(slug, 'checks'), text: 'Checks' },
    { path: checkPage, text: nameOf(check) },
  ]
  return {
    layout: 'frame',
    title: opened === null ? 'Log' : opened.title,
    about: check.name,
    heading: 'Log',
    live: livePath(data),
    crumbs: opened === null ? crumbs : [...crumbs, { path: log + searchOf(data.query), text: 'Log' }],
    ...(count.kept > 0 ? { intro: keptPart(data) } : {}),
    body: body(data),
  }
}

function livePath({ slug, check, query, opened }: LogData): string {
  const place = new URLSearchParams({ view: 'log', check: check.publicId, ...(opened && { opened: String(opened.n) }) })
  return `${projectPath(slug, 'live')}?${place}${searchOf(query).replace('?', '&')}`
}

function nameOf({ name }: Check): string {
  return name === '' ? 'no name' : name
}

const NUMBER = new Intl.NumberFormat('en')

/** Renders `<span id=log-kept>`, which states how many events the log contains. */
export function keptPart({ count, pingLimit, tz }: Pick<LogData, 'count' | 'pingLimit' | 'tz'>): Html {
  const events = count.kept === 1 ? '1 event' : `${NUMBER.format(count.kept)} events`
  const pings = pingLimit === 1 ? 'the newest ping' : `the newest ${NUMBER.format(pingLimit)} pings`
  return html`<span id="log-kept">${events} in the log, which keeps ${pings}. Times are in ${tz}.</span>`
}

function body(data: LogData): Html {
  const { href, slug, check, query, opened } = data
  if (data.count.kept === 0) return noEvents(data)
  const path = href(checkPath(slug, check.publicId, 'log'))
  const bar = logFilterBar({ path, query })
  return opened === null
    ? html`${bar}${logList(data, path)}`
    : html`<div class="beside">${bar}<div class="pair">${logList(data, path)}${opened.panel}</div></div>`
}

/**
 * Renders `<section id=log-list>`. The script uses `data-place` to restore the list's scroll position.
 * @param path the log's path, including the SITE_ROOT path prefix
 */
export function logList(data: LogData, path: string): Html {
  const { lines, query, opened, now, tz } = data
  const hrefOf = (n: number) => `${path}/${n}${searchOf(query)}`
  const table =
    lines.length === 0 ? nothingMatches(data, path) : logTable(lines, { now, tz, hrefOf, opened: opened?.n ?? null })
  return html`<section class="card" id="log-list" data-place="${path}${searchOf(query)}" aria-label="Events">${table}${foot(data, path)}</section>`
}

function foot({ query, newer, older, count, lines }: LogData, path: string): HtmlValue {
  const isFiltered = query.kinds.length > 0 || query.until !== ''
  if (newer === null && older === null && (!isFiltered || lines.length === 0)) return null
  const to = (kind: 'newer' | 'older', than: EventName) => `${path}${searchOf({ ...query, place: { kind, than } })}`
  const words = `${NUMBER.format(count.matching)} of ${NUMBER.format(count.kept)} match ${filterWords(query)}`
  return html`<nav class="card-end" aria-label="Pages of the log">${
    newer !== null && linkButton({ text: 'Newer events', look: 'quiet', href: to('newer', newer) })
  }${older !== null && linkButton({ text: 'Older events', look: 'quiet', href: to('older', older) })}${
    isFiltered && html`<span class="muted">${words}</span>`
  }</nav>`
}

function nothingMatches({ query }: LogData, path: string): Html {
  return empty({
    title: 'Nothing to show',
    text: `No events match ${filterWords(query)}.`,
    actions: linkButton({ text: 'Clear filters', href: path }),
  })
}

function noEvents({ href, slug, check }: LogData): Html {
  return html`<section class="card">${empty({
    title: 'No pings yet',
    text: 'Run the job, or send one from the check page.',
    actions: linkButton({ text: 'Go to the check', href: href(checkPath(slug, check.publicId)) }),
  })}</section>`
}
