/**
 * "Would I have been woken?" Compares the alerts that trial settings would have triggered, based on the stored log, with those under the
 * current settings. Neither count takes silences and acknowledgements into account: they held back alerts on one particular night, but the
 * same failures on another night would trigger alerts.
 */
import { fromMilliseconds, Temporal } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import { nextSlots } from '../check/slots.ts'
import { deadline, expectedIfReadable, SPARED_SECONDS_MAX } from '../check/status.ts'
import { type PastEvent, pastStep, unknownCheck } from '../log/past-runs.ts'
import type { ReplayTiming } from '../preview/replay.ts'
import type { Stretch } from '../stretch.ts'
import { DAY, MINUTE } from '../units.ts'
import type { AdvisedPing, Facts } from './facts.ts'

/** The data needed to replay a log. */
export interface WokenFacts extends Pick<Facts, 'away'> {
  /** current settings of the check */
  readonly check: ReplayTiming
  readonly log: WokenLog
}

type WokenLog = readonly Pick<AdvisedPing, 'at' | 'kind' | 'runId'>[]

export interface TriedSettings {
  readonly timing: ReplayTiming
  /** the log as it would be under the trial rules; if unset, only the timing is tried */
  readonly log?: WokenLog
}

/** The results of trial settings. Times are in milliseconds since 1970. */
export interface Woken {
  /** number of alerts under the current settings, which may be newer than the log */
  readonly alerts: number
  /** number of alerts under the trial settings */
  readonly alertsThen: number
  /** number of alerts without an outage that the trial settings would have avoided */
  readonly spared: number
  /** times of alerts about outages that the trial settings would have missed */
  readonly unfound: readonly number[]
  /** time of the alert about the current outage, if the outage would not have been found yet under the trial settings; otherwise null */
  readonly notYet: number | null
  readonly later: readonly FoundLater[]
  /** times at which the trial settings would have found outages that the current settings missed */
  readonly gained: readonly number[]
  /** times at which the trial settings would have triggered additional alerts although there was no outage */
  readonly more: readonly number[]
  /** longest time until an outage is noticed, in seconds; null if the schedule ends */
  readonly noticeSeconds: number | null
  readonly noticeThenSeconds: number | null
  /** the part of the log that was replayed; null if the log does not contain a success or failure */
  readonly over: WokenOver | null
  /** alerts in the last 30 days; null if `over` is null */
  readonly recent: RecentAlerts | null
}

interface RecentAlerts extends Pick<Woken, 'alerts' | 'alertsThen'> {
  /** 30 days ago, or the start of the log if that is later */
  readonly since: number
}

/** An outage that is detected under both settings, but later under the trial settings. */
interface FoundLater {
  /** when the outage is detected under the trial settings */
  readonly at: number
  readonly minutes: number
}

export interface WokenOver extends Stretch {
  /** number of successes and failures */
  readonly runs: number
}

const RECENT = 30 * DAY

/**
 * Replays the log twice, applying the same rules as when pings arrive. Alerts do not count while the state is unknown: before the first
 * success or failure in the log, and from a pause to the next success or failure.
 * @param tried settings with a valid schedule and zone
 */
export function woken({ check, log, away }: WokenFacts, tried: TriedSettings, now: number): Woken {
  const triedLog = tried.log ?? log
  const present = downs(check, log, away, now)
  const then = tried.timing === check && triedLog === log ? present : downs(tried.timing, triedLog, away, now)
  const over = overOf(log, now)
  const since = Math.max(over?.from ?? now, now - RECENT)
  const isRecent = ({ from }: Down) => from >= since
  const isReal = realness(log, now)
  const isRealThen = triedLog === log ? isReal : realness(triedLog, now)
  const found = present.map((down) => ({
    down,
    match: then.find((other) => overlaps(down, other)),
    real: isReal(down),
  }))
  const unmatched = found.filter(({ match }) => match === undefined)
  const lost = unmatched.filter(({ real }) => real).map(({ down }) => down)
  const unheard = then.filter((down) => !present.some((other) => overlaps(down, other)))
  return {
    alerts: present.length,
    alertsThen: then.length,
    spared: unmatched.filter(({ real }) => !real).length,
    unfound: lost.filter(isOver).map(({ from }) => from),
    notYet: lost.find((down) => !isOver(down))?.from ?? null,
    later: found.flatMap(({ down, match, real }) => (match && real ? foundLater(down, match) : [])),
    gained: unheard.filter(isRealThen).map(({ from }) => from),
    more: unheard.filter((down) => !isRealThen(down)).map(({ from }) => from),
    noticeSeconds: noticeSeconds(check, now),
    noticeThenSeconds: noticeSeconds(tried.timing, now),
    over,
    recent: over && {
      since,
      alerts: present.filter(isRecent).length,
      alertsThen: then.filter(isRecent).length,
    },
  }
}

function foundLater(down: Down, match: Down): readonly FoundLater[] {
  const minutes = Math.floor((match.from - down.from) / MINUTE)
  return minutes >= 1 ? [{ at: match.from, minutes }] : []
}

/** The time from an alert to the next success or pause. */
interface Down extends Stretch {
  readonly isFailure: boolean
}

function isOver({ until }: Down): boolean {
  return Number.isFinite(until)
}

function overlaps(a: Stretch, b: Stretch): boolean {
  return a.from < b.until && b.from < a.until
}

/**
 * Returns the intervals in which a check with this timing would have been down, oldest first. If the check is still down, the last interval
 * ends at infinity.
 */
export function downs(timing: ReplayTiming, log: WokenLog, away: Facts['away'], now: number): readonly Down[] {
  const ended: Down[] = []
  let open: Down | null = null
  let check = unknownCheck(timing, fromMilliseconds(0))
  for (const event of [...eventsOf(log, away), null]) {
    const at = event?.at.epochMilliseconds ?? now
    const due = alertAt(check, away)
    if (due !== null && due <= at) {
      open = { from: due, until: Number.POSITIVE_INFINITY, isFailure: false }
      check = { ...check, status: 'down' }
    }
    if (event === null) break
    const before = check.status
    check = pastStep(check, event).after
    if (before === 'up' && check.status === 'down')
      open = { from: at, until: Number.POSITIVE_INFINITY, isFailure: true }
    if (open !== null && check.status !== 'down') {
      ended.push({ ...open, until: at })
      open = null
    }
  }
  return open === null ? ended : [...ended, open]
}

/** Returns the time of the next alert if no further ping arrives; null if no alert would follow. */
function alertAt(check: Check, away: Facts['away']): number | null {
  if (check.status !== 'up') return null
  const due = deadline(check, expectedIfReadable(check))?.epochMilliseconds
  if (due === undefined) return null
  const outage = away.find(({ why, from, until }) => why === 'outage' && from <= due && due < until)
  return outage ? outage.until + Math.min(check.graceSeconds, SPARED_SECONDS_MAX) * 1_000 : due
}

function eventsOf(log: WokenLog, away: Facts['away']): readonly PastEvent[] {
  const pauses = away
    .filter(({ why }) => why === 'pause')
    .map(({ from }): PastEvent => ({ kind: 'pause', at: fromMilliseconds(from) }))
  const pings = log.map(({ kind, runId: rid, at }): PastEvent => ({ kind, rid, at: fromMilliseconds(at) }))
  return [...pauses, ...pings].sort((a, b) => Temporal.Instant.compare(a.at, b.at))
}

/** A gap between pings counts as an outage if it is this many times as long as most other gaps. */
const LONG = 1.5
const MOST = 0.9

/**
 * Returns a function that recognizes real outages: at the time of the alert, the job had failed, or there was an unusually long gap between
 * pings.
 */
function realness(log: WokenLog, now: number): (down: Down) => boolean {
  const ends = endsOf(log)
  const distances = ends.slice(1).map((end, index) => end - (ends[index] ?? end))
  const usual =
    distances.toSorted((a, b) => a - b)[Math.floor((distances.length - 1) * MOST)] ?? Number.POSITIVE_INFINITY
  return ({ from, isFailure }) => {
    const before = ends.findLast((end) => end <= from)
    const after = ends.find((end) => end > from) ?? now
    return isFailure || (before !== undefined && after - before > LONG * usual)
  }
}

function endsOf(log: WokenLog): readonly number[] {
  return log.filter(({ kind }) => kind === 'success' || kind === 'fail').map(({ at }) => at)
}

/** Number of slots to look ahead: enough to include the longest gap in daily, weekly and most monthly schedules. */
const SLOTS_AHEAD = 60

function noticeSeconds(timing: ReplayTiming, now: number): number | null {
  if (timing.kind === 'simple') return timing.timeoutSeconds + timing.graceSeconds
  const slots = nextSlots(timing, fromMilliseconds(now), SLOTS_AHEAD).map(({ epochMilliseconds }) => epochMilliseconds)
  const distances = slots.slice(1).map((slot, index) => slot - (slots[index] ?? slot))
  return distances.length === 0 ? null : Math.max(...distances) / 1_000 + timing.graceSeconds
}

function overOf(log: WokenLog, now: number): WokenOver | null {
  const ends = endsOf(log)
  const [from] = ends
  return from === undefined ? null : { runs: ends.length, from, until: now }
}
