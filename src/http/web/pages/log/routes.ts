/** `/p/<project>/checks/<check>/log`: the log of a check's events. Paths below it lead to the pings' pages and original bodies. */

import { may, type PersonActor } from '../../../../domain/actor.ts'
import type { DeliveryEntry } from '../../../../domain/alert/delivery.ts'
import type { Check } from '../../../../domain/check/check.ts'
import { type Flip, sendsAlerts } from '../../../../domain/check/flip.ts'
import { slugify } from '../../../../domain/check/slug.ts'
import { Refusal } from '../../../../domain/errors.ts'
import type { LogEntry } from '../../../../domain/log/log-entry.ts'
import type { LogEvent, Timeline } from '../../../../domain/log/log-timeline.ts'
import { countEvents, neighbours, type TimelineFilter, timelinePage } from '../../../../domain/log/timeline-page.ts'
import { happenedAt } from '../../../../domain/ping/occurred-at.ts'
import { fromMicroseconds, toMicroseconds } from '../../../../lib/time.ts'
import { whoWasTold } from '../../../../services/alerts/deliveries.ts'
import { getCheckByPublicId } from '../../../../services/checks/checks.ts'
import { withLastLines } from '../../../../services/pings/last-lines.ts'
import { findOriginal, openPing } from '../../../../services/pings/opened-ping.ts'
import { readTimeline } from '../../../../services/pings/timeline.ts'
import { contextOf } from '../../context.ts'
import { checkPath } from '../../href.ts'
import type { PageDeps } from '../../page.ts'
import type { PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { projectRoute } from '../new-route.ts'
import { type LogData, logPage } from './log-page.ts'
import { openedPing, titleOf } from './opened.ts'
import { type LogQuery, readQuery, searchOf, timelinePlace, untilInstant } from './query.ts'

const PATH = 'checks/:check/log'
/** Number of lines per page. */
const LINES = 50

export function logRoutes(deps: PageDeps): readonly Route[] {
  return [
    projectRoute('GET', PATH, 'read', (visit) => show(deps, visit, null)),
    projectRoute('GET', `${PATH}/:n`, 'read', (visit) => show(deps, visit, numberOf(visit))),
    projectRoute('GET', `${PATH}/:n/body`, 'read', (visit) => original(deps, visit)),
  ]
}

/** @throws Refusal `not-found` if the parameter is not a number */
function numberOf({ params }: ProjectVisit): number {
  const { n = '' } = params
  if (!/^[1-9]\d{0,14}$/.test(n)) throw new Refusal('not-found', 'not found')
  return Number(n)
}

async function show(deps: PageDeps, visit: ProjectVisit, n: number | null): Promise<PageAnswer> {
  const { actor, params, url } = visit
  const { check } = await getCheckByPublicId(deps, actor, params.check ?? '')
  const query = readQuery(url.searchParams)
  const timeline = await readTimeline(deps, actor, check, query.kinds.includes('missing'))
  const data = await logData(deps, visit, { check, timeline, query, n })
  const opened = n === null ? null : await open(deps, visit, { check, timeline, query, n, lines: data.lines })
  return logPage({ ...data, opened })
}

interface ReadTimeline extends Pick<LogData, 'check' | 'query'> {
  readonly timeline: Timeline<LogEntry>
  /** the opened ping's number; null if none is open */
  readonly n: number | null
}

/** Loads the log page that the URL specifies. */
export async function logData(
  deps: PageDeps,
  visit: ProjectVisit,
  { check, timeline, query, n }: ReadTimeline,
): Promise<Omit<LogData, 'opened'>> {
  const { actor } = visit
  const context = contextOf(deps, visit)
  const filter = filterOf(query, context.tz)
  const page = timelinePage(timeline, filter, timelinePlace(query, n), LINES)
  const pings = timeline.events.flatMap((event) => (event.kind === 'ping' ? [event.ping] : []))
  return {
    ...context,
    ...page,
    lines: await withLastLines(deps, check, page.lines, pings, may(actor, 'write')),
    slug: actor.project.slug,
    check,
    query,
    count: { kept: timeline.events.length, matching: countEvents(timeline, filter) },
    pingLimit: actor.project.pingLogLimit,
  }
}

function filterOf({ kinds, until }: LogQuery, tz: string): TimelineFilter {
  return { kinds, until: untilInstant(until, tz) }
}

interface Opening extends Omit<ReadTimeline, 'n'>, Pick<LogData, 'lines'> {
  readonly n: number
}

async function open(
  deps: PageDeps,
  { actor, account, site }: ProjectVisit,
  { check, timeline, query, n, lines }: Opening,
): Promise<LogData['opened']> {
  const opened = await openPing(deps, actor, check, n)
  const index = timeline.events.findIndex((event) => event.kind === 'ping' && event.ping.n === n)
  const event = timeline.events[index]
  if (event?.kind !== 'ping') throw new Refusal('not-found', 'there is no such ping in the log')
  const { newer, older } = neighbours(timeline, filterOf(query, account.tz), n)
  const log = site.href(checkPath(actor.project.slug, check.publicId, 'log'))
  // Stay on the same page of the list if it contains the ping.
  const isListed = (ping: number) => lines.some((line) => line.kind === 'ping' && line.ping.n === ping)
  const pathOf = (ping: number) => `${log}/${ping}${searchOf(isListed(ping) ? query : withoutPlace(query))}`
  const start = startOf(timeline, event)
  const panel = openedPing({
    check,
    opened,
    entry: event.ping,
    startedBy: start?.n ?? null,
    told: await toldBecauseOf(deps, actor, timeline, n),
    paths: {
      newer: newer && pathOf(newer.n),
      older: older && pathOf(older.n),
      close: log + searchOf(query),
      original: `${log}/${n}/body`,
      start: start && pathOf(start.n),
    },
    tz: account.tz,
  })
  return { n, title: titleOf(event.ping), panel }
}

/** Returns the alerts about the flip that a ping caused; null if it caused no flip, or a flip that sends no alerts. */
export async function toldBecauseOf(
  deps: PageDeps,
  actor: PersonActor,
  timeline: Timeline<LogEntry>,
  n: number,
): Promise<readonly DeliveryEntry[] | null> {
  const flip = flipOf(
    timeline,
    timeline.events.findIndex((event) => event.kind === 'ping' && event.ping.n === n),
  )
  return flip === null ? null : whoWasTold(deps, actor, [flip])
}

function withoutPlace(query: LogQuery): LogQuery {
  return { ...query, place: null }
}

type PingEvent = Extract<LogEvent<LogEntry>, { kind: 'ping' }>

/** Returns the ping that started the run, if this ping ended a run; otherwise null. */
function startOf({ events }: Timeline<LogEntry>, { ping }: PingEvent): LogEntry | null {
  const { duration, rid } = ping
  if (duration === null) return null
  const startedAt = fromMicroseconds(toMicroseconds(happenedAt(ping)) - duration)
  const starts = events.flatMap((event) => (event.kind === 'ping' && event.ping.kind === 'start' ? [event.ping] : []))
  return starts.find((start) => start.rid === rid && happenedAt(start).equals(startedAt)) ?? null
}

/** Returns the flip that a ping caused, provided that it sends alerts. Such a flip has the same timestamp as the ping. */
function flipOf({ events }: Timeline<LogEntry>, index: number): Flip | null {
  const [newer, event] = [events[index - 1], events[index]]
  if (event?.kind !== 'ping' || newer?.kind !== 'flip' || !newer.at.equals(event.at)) return null
  const { flip } = newer
  const isMadeByIt = event.ping.kind === (flip.newStatus === 'down' ? 'fail' : 'success') && flip.reason !== 'timeout'
  return isMadeByIt && sendsAlerts(flip) ? flip : null
}

async function original(deps: PageDeps, visit: ProjectVisit): Promise<PageAnswer> {
  const { actor, params } = visit
  const { check } = await getCheckByPublicId(deps, actor, params.check ?? '')
  const n = numberOf(visit)
  const { bytes, isEmail } = await findOriginal(deps, actor, check, n)
  const headers = {
    // Browsers must never render the body as a page, because its sender is unknown.
    'content-type': isEmail ? 'message/rfc822' : 'text/plain; charset=utf-8',
    'content-disposition': `attachment; filename="${fileName(check, n)}.${isEmail ? 'eml' : 'txt'}"`,
  }
  return { kind: 'file', body: bytes, headers }
}

/** Returns a file name made up of only letters, digits, hyphens and underscores. */
function fileName({ name, slug, publicId }: Check, n: number): string {
  return `${slug || slugify(name) || publicId}-${n}`
}
