/**
 * The public information about a project, in the terms used on its status page. The types exclude everything else about a check: IDs,
 * names, tags, schedules and the contents of pings.
 */
import { type Instant, isBefore } from '../../lib/time.ts'
import type { WatchedCheck } from '../check/check.ts'
import { type ShownState, showCheck } from '../check/shown-check.ts'
import type { Downtime } from '../run/downtime.ts'
import type { DayLook } from '../run/up-and-down.ts'
import { join, type Sentence } from '../words/sentence-parts.ts'

/**
 * A service's public states, as named in the data for programs. `late`: a ping is due, but the grace time is not over. `delayed`: the
 * service is down because the job failed or did not run in time.
 */
export type PublicState = 'working' | 'late' | 'delayed' | 'paused' | 'new'

export const PUBLIC_WORDS: Readonly<Record<PublicState, string>> = {
  working: 'Running normally',
  late: 'Delayed',
  delayed: 'Not working',
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
  /** time at which the service went down; null if it is not down, or if the time is not known yet */
  readonly since: Instant | null
  /** details about the failure; null if the service is not down, or if they are unknown */
  readonly stopped: Stopped | null
  /** the last 90 days, ending with today; null for days before monitoring began */
  readonly days: readonly (DayLook | null)[]
  /** total downtime during these days; null before the first ping */
  readonly total: Downtime | null
}

/** Details about the failure of a service that is down. */
export interface Stopped {
  /** true if the service has not run since `at`; false if it has run but has not succeeded since `at` */
  readonly isSilent: boolean
  readonly at: Instant
}

export interface PublicSection {
  readonly name: string
  readonly services: readonly PublicService[]
}

/** A period during which a service was down. */
export interface Disruption {
  /** the service's name */
  readonly name: string
  readonly from: Instant
  /** end of the disruption; null if it has not ended yet */
  readonly until: Instant | null
}

export interface PublicStatus {
  readonly slug: string
  readonly title: string
  readonly text: string
  readonly tz: string
  readonly isIndexed: boolean
  /** time at which the status was read */
  readonly at: Instant
  readonly summary: Summary
  readonly sections: readonly PublicSection[]
  /** disruptions during the last 90 days, newest first, at most {@link DISRUPTIONS_SHOWN} */
  readonly disruptions: readonly Disruption[]
}

/** A summary of the status of all services. */
export interface Summary {
  /** the worst state of any service; `new` if no service is monitored */
  readonly state: PublicState
  /** services that are down */
  readonly delayed: readonly Pick<PublicService, 'name' | 'stopped'>[]
  /** names of late services */
  readonly late: readonly string[]
  readonly working: number
  /** number of services that are working, late or delayed */
  readonly watched: number
}

export const DISRUPTIONS_SHOWN = 50

/**
 * Returns the public state. During a run, the stored status applies, because the run may still fail. A resumed check is not monitored until
 * its next ping, so it is shown as paused.
 */
export function publicState(check: WatchedCheck, now: Instant): PublicState {
  const { state, isResumed } = showCheck(check, now)
  if (isResumed) return 'paused'
  return STATES[state === 'started' ? check.status : state]
}

/**
 * @param since time at which the check went down; null if the flip has not been saved yet
 * @returns null unless the check is down
 */
export function stoppedOf(check: WatchedCheck, now: Instant, since: Instant | null): Stopped | null {
  if (publicState(check, now) !== 'delayed') return null
  const { lastPingAt, lastStartAt } = check
  const isSilent = lastPingAt !== null && lastStartAt === null && (since === null || isBefore(lastPingAt, since))
  if (isSilent) return { isSilent, at: lastPingAt }
  return since && { isSilent, at: since }
}

export function summarize(sections: readonly PublicSection[]): Summary {
  const services = sections.flatMap((section) => section.services)
  const those = (state: PublicState) => services.filter((each) => each.state === state)
  const [working, late, delayed] = [those('working').length, those('late'), those('delayed')]
  const watched = working + late.length + delayed.length
  const worst: PublicState = delayed.length > 0 ? 'delayed' : late.length > 0 ? 'late' : 'working'
  return { state: watched === 0 ? 'new' : worst, delayed, late: late.map(({ name }) => name), working, watched }
}

const NAMES_IN_SENTENCE = 3

/** Returns sentences such as `5 of 7 running normally. Nightly backup has not run since 02:56. Stock levels are delayed.` */
export function summarySentence({ delayed, late, working, watched }: Summary): Sentence {
  if (watched === 0) return ['Nothing is monitored at the moment.']
  if (working === watched) return ['Everything is running normally.']
  const named = delayed.slice(0, NAMES_IN_SENTENCE)
  const more = delayed.length - named.length
  return join(
    watched > 1 ? [`${working} of ${watched} running normally.`] : [],
    ...named.map(stoppedSentence),
    more > 0 ? [more === 1 ? '1 more is not working.' : `${more} more are not working.`] : [],
    lateSentence(late),
  )
}

function stoppedSentence({ name, stopped }: Pick<PublicService, 'name' | 'stopped'>): Sentence {
  const isMany = isPlural(name)
  if (stopped === null) return [{ name }, isMany ? ' are not working.' : ' is not working.']
  const verb = `${isMany ? 'have' : 'has'} not ${stopped.isSilent ? 'run' : 'worked'}`
  return [{ name }, ` ${verb} since `, { clock: stopped.at }, '.']
}

/** Returns a sentence such as `Stock levels are delayed.` or `A, B, C and 2 more are delayed.` */
function lateSentence(late: readonly string[]): Sentence {
  const [first, ...others] = late
  if (first === undefined) return []
  if (others.length === 0) return [{ name: first }, isPlural(first) ? ' are delayed.' : ' is delayed.']
  const named = late.slice(0, NAMES_IN_SENTENCE)
  const more = late.length - named.length
  const list = named.flatMap((name, index): Sentence => {
    const isLast = more === 0 && index === named.length - 1
    return [...(index === 0 ? [] : [isLast ? ' and ' : ', ']), { name }]
  })
  return [...list, more > 0 ? ` and ${more} more are delayed.` : ' are delayed.']
}

/** Whether a name is plural, based on its last letters. For example, `Stock levels` is plural, but `Stock status` and `Access` are not. */
function isPlural(name: string): boolean {
  return /[^sui]s$/.test(name)
}

/** Returns the newest disruptions among those of all services. */
export function newestDisruptions(disruptions: readonly Disruption[]): readonly Disruption[] {
  return disruptions
    .toSorted((a, b) => Number(b.from.epochMilliseconds - a.from.epochMilliseconds) || (a.name < b.name ? -1 : 1))
    .slice(0, DISRUPTIONS_SHOWN)
}
