/**
 * "Would I have been woken?" The alerts that other settings would have sent over the kept log, beside those of the present settings.
 *
 * Both counts ignore silences and acknowledgements, which hold the alerts of one night and say nothing about the settings: the same
 * failures would wake somebody the next night.
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

/** Facts on which settings are replayed. */
export interface WokenFacts extends Pick<Facts, 'away'> {
  /** the present settings of the check */
  readonly check: ReplayTiming
  readonly log: WokenLog
}

type WokenLog = readonly Pick<AdvisedPing, 'at' | 'kind' | 'runId'>[]

export interface TriedSettings {
  readonly timing: ReplayTiming
  /** the log as the tried rules would have read it; the present one if only the timing is tried */
  readonly log?: WokenLog
}

/** Times are milliseconds since 1970. */
export interface Woken {
  /** number of alerts with the present settings, which may differ from the settings at that time */
  readonly alerts: number
  /** number of alerts with the tried settings */
  readonly alertsThen: number
  /** number of alerts that were not about an outage and that the tried settings would not have sent */
  readonly spared: number
  /** times of alerts about outages that the tried settings would never have found */
  readonly unfound: readonly number[]
  /** time of the alert about an outage that still lasts and that the tried settings have not found yet */
  readonly notYet: number | null
  readonly later: readonly FoundLater[]
  /** times at which the tried settings would have found outages that the present ones did not find */
  readonly gained: readonly number[]
  /** times at which the tried settings would have sent new alerts without an outage */
  readonly more: readonly number[]
  /** seconds after which an outage is noticed at the latest; null for a schedule that ends */
  readonly noticeSeconds: number | null
  readonly noticeThenSeconds: number | null
  /** the replayed log; null for one without a success or failure */
  readonly over: WokenOver | null
  /** the alerts of the last 30 days; null together with `over` */
  readonly recent: RecentAlerts | null
}

interface RecentAlerts extends Pick<Woken, 'alerts' | 'alertsThen'> {
  /** 30 days ago, or the beginning of a shorter log */
  readonly since: number
}

/** An outage that both settings find. */
interface FoundLater {
  /** time at which the tried settings find it */
  readonly at: number
  readonly minutes: number
}

export interface WokenOver extends Stretch {
  /** number of successes and failures */
  readonly runs: number
}

const RECENT = 30 * DAY

/**
 * Replays the log twice, by the rules that judge pings on arrival. Before the first success or failure of the log, and from a pause to the
 * next one, the state is unknown and no alert counts.
 * @param tried settings with a readable schedule and zone
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

/** A stretch from an alert to the success that ends it, or to a pause. */
interface Down extends Stretch {
  readonly isFailure: boolean
}

function isOver({ until }: Down): boolean {
  return Number.isFinite(until)
}

function overlaps(a: Stretch, b: Stretch): boolean {
  return a.from < b.until && b.from < a.until
}

/** Returns the stretches in which a check with this timing would have been down, oldest first. One that still lasts ends at infinity. */
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

/** Returns null if no alert is due by time alone. */
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

/** A gap between pings is an outage if it is this many times as long as most. */
const LONG = 1.5
const MOST = 0.9

/** Recognizes a real outage: a failure, or an unusual gap between pings around the alert. */
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

/** Enough for the longest distance of schedules of days, weeks and most months. */
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
