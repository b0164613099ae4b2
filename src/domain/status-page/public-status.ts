/**
 * What everybody may see of a project, in the words of its status page. Nothing else of a check gets here: the types have no room for
 * ids, names, tags, schedules or what pings brought.
 */
import type { Instant } from '../../lib/time.ts'
import type { WatchedCheck } from '../check/check.ts'
import { type ShownState, showCheck } from '../check/shown.ts'
import type { DayLook } from '../check/up-and-down.ts'

/** `delayed` is down in public words: the job did not run in time, or failed. */
export type PublicState = 'working' | 'late' | 'delayed' | 'paused' | 'new'

export const PUBLIC_WORDS: Readonly<Record<PublicState, string>> = {
  working: 'Working',
  late: 'Late',
  delayed: 'Delayed',
  paused: 'Paused',
  new: 'Not started yet',
}

const STATES: Readonly<Record<Exclude<ShownState, 'started'>, PublicState>> = {
  up: 'working',
  late: 'late',
  down: 'delayed',
  paused: 'paused',
  new: 'new',
}

export interface PublicService {
  readonly name: string
  readonly text: string
  readonly state: PublicState
  /** since when it is delayed; null when it is not, or that is not known yet */
  readonly since: Instant | null
  /** of the last 90 days, the last one is today; null: before there was anything to watch */
  readonly days: readonly (DayLook | null)[]
  /** of the same time, such as `99.41`; null for a check that has existed for no time */
  readonly percent: string | null
}

export interface PublicSection {
  readonly name: string
  readonly services: readonly PublicService[]
}

/** A time in which a service was delayed. */
export interface Incident {
  /** of the service */
  readonly name: string
  readonly from: Instant
  /** null: it goes on */
  readonly until: Instant | null
}

export interface PublicStatus {
  readonly slug: string
  readonly title: string
  readonly text: string
  readonly tz: string
  readonly isIndexed: boolean
  /** when it was read */
  readonly at: Instant
  readonly summary: Summary
  readonly sections: readonly PublicSection[]
  /** of the last 90 days, newest first, at most {@link INCIDENTS_SHOWN} */
  readonly incidents: readonly Incident[]
}

/** Everything in a few words. */
export interface Summary {
  /** the worst state of a service; `new` when none is watched */
  readonly state: PublicState
  /** names */
  readonly delayed: readonly string[]
  readonly late: readonly string[]
  readonly working: number
  /** working, late or delayed */
  readonly watched: number
  /** since when at least one service is delayed; null when none is */
  readonly since: Instant | null
}

export const INCIDENTS_SHOWN = 50

/**
 * A run that goes on says nothing of a service that did not run before. One that was resumed is not watched until its next ping, as if it
 * were paused still.
 */
export function publicState(check: WatchedCheck, now: Instant): PublicState {
  const { state, isResumed } = showCheck(check, now)
  if (isResumed) return 'paused'
  return STATES[state === 'started' ? check.status : state]
}

export function summarize(sections: readonly PublicSection[]): Summary {
  const services = sections.flatMap((section) => section.services)
  const named = (state: PublicState) => services.filter((each) => each.state === state).map(({ name }) => name)
  const [working, late, delayed] = [named('working'), named('late'), named('delayed')]
  const begins = services.flatMap(({ since }) => since ?? [])
  const since = begins.reduce<Instant | null>(
    (first, each) => (first === null || each.epochNanoseconds < first.epochNanoseconds ? each : first),
    null,
  )
  const watched = working.length + late.length + delayed.length
  const worst: PublicState = delayed.length > 0 ? 'delayed' : late.length > 0 ? 'late' : 'working'
  return { state: watched === 0 ? 'new' : worst, delayed, late, working: working.length, watched, since }
}

const NAMES_IN_SENTENCE = 3

/** A piece of a sentence; names are apart because people chose them. */
type Piece = { readonly text: string } | { readonly name: string }

/** `Mostly working. Delayed: Stock levels, Orders and 2 more. Late: Website search.` */
export function summaryPieces({ delayed, late, working, watched }: Summary): readonly Piece[] {
  if (watched === 0) return [{ text: 'Nothing is watched at the moment.' }]
  if (working === watched) return [{ text: 'Everything is working.' }]
  return [
    ...(2 * working >= watched ? [{ text: 'Mostly working. ' }] : []),
    ...listed('Delayed', delayed),
    ...(delayed.length > 0 && late.length > 0 ? [{ text: ' ' }] : []),
    ...listed('Late', late),
  ]
}

function listed(words: string, names: readonly string[]): Piece[] {
  if (names.length === 0) return []
  const pieces: Piece[] = [{ text: `${words}: ` }]
  for (const [index, name] of names.slice(0, NAMES_IN_SENTENCE).entries()) {
    if (index > 0) pieces.push({ text: ', ' })
    pieces.push({ name })
  }
  const more = names.length - NAMES_IN_SENTENCE
  return [...pieces, { text: more > 0 ? ` and ${more} more.` : '.' }]
}

export function summaryText(summary: Summary): string {
  return summaryPieces(summary)
    .map((piece) => ('text' in piece ? piece.text : piece.name))
    .join('')
}

/** `6 of 8 services run as planned.` */
export function countWords({ working, watched }: Summary): string {
  if (watched === 1) return working === 1 ? 'It runs as planned.' : 'It does not run as planned.'
  if (working === watched) return `All ${watched} services run as planned.`
  return `${working} of ${watched} services run as planned.`
}

/** The newest, of all services together. */
export function newestIncidents(incidents: readonly Incident[]): readonly Incident[] {
  return incidents
    .toSorted((a, b) => Number(b.from.epochMilliseconds - a.from.epochMilliseconds) || (a.name < b.name ? -1 : 1))
    .slice(0, INCIDENTS_SHOWN)
}
