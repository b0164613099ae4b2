/** Reads each check's row for a night, and caches the row until a ping arrives or a run becomes due. */
import { LRUCache } from 'lru-cache'
import { type Check, startedAt } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import { usualOf } from '../../domain/check/usual-duration.ts'
import { certainRuns } from '../../domain/log/runs.ts'
import { countedRuns } from '../../domain/night/counted-runs.ts'
import { type NightRow, nightRow } from '../../domain/night/row.ts'
import type { NightWindow } from '../../domain/night/window.ts'
import { plotRuns } from '../../domain/rhythm-plot/plot-runs.ts'
import type { DayRuns } from '../../domain/run/day-runs.ts'
import { pausesOf } from '../../domain/run/pauses.ts'
import { DAY } from '../../domain/units.ts'
import { atMost } from '../../lib/caches/at-most.ts'
import { type Instant, Temporal } from '../../lib/time.ts'
import type { RunEntry } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'

/** A check's row, and how far back its log reaches. */
export interface ReadRow {
  readonly row: NightRow
  /** time of the oldest log entry, in milliseconds since 1970; null if the log reaches back to the start of the night, or is empty */
  readonly reachesTo: number | null
}

interface Kept extends ReadRow {
  /** milliseconds since 1970 */
  readonly readAt: number
  /** true if the row no longer changes with time */
  readonly isSettled: boolean
  /** true if new pings do not change the row either, unless they are delivered late */
  readonly isFinal: boolean
}

/** The data stored about one check for one night. */
export interface CheckFacts {
  readonly check: Check
  /** log entries back to the last run before the night, newest first */
  readonly entries: readonly RunEntry[]
  /** newest first */
  readonly flips: readonly Flip[]
  /** days that overlap the night, oldest first; empty if the log reaches back to the start of the night */
  readonly days: readonly DayRuns[]
  readonly reachesTo: number | null
}

/** Maximum number of cached rows. Each takes a few kilobytes. */
const KEPT = 5_000
const FRESH_MS = 60_000
/** Age, in milliseconds, after which the rows of a finished night are rebuilt, because late pings may still arrive. */
const FINAL_MS = 300_000

export class NightRows {
  readonly #store: Deps['store']
  readonly #kept = new LRUCache<string, Kept>(atMost(KEPT))

  constructor({ store }: Pick<Deps, 'store'>) {
    this.#store = store
  }

  /** Returns a check's cached row, or null if the row must be rebuilt. */
  find(check: Check, window: NightWindow, now: Instant): ReadRow | null {
    const kept = this.#kept.get(keyOf(check, window))
    if (kept === undefined || !isSame(kept.row.check, check, SETTINGS)) return null
    const age = now.epochMilliseconds - kept.readAt
    if (kept.isFinal && age < FINAL_MS) return { ...kept, row: { ...kept.row, check } }
    const isFresh = kept.isSettled || age < FRESH_MS
    return isFresh && isSame(kept.row.check, check, STATE) ? kept : null
  }

  /**
   * Returns a check's cached row, even if pings have arrived since it was built, as long as nothing else has changed. The caller gets the
   * last ping from the check itself. Returns null if the row must be rebuilt.
   */
  findRecent(check: Check, window: NightWindow, now: Instant): ReadRow | null {
    const found = this.find(check, window, now)
    if (found) return found
    const kept = this.#kept.get(keyOf(check, window))
    if (kept === undefined || now.epochMilliseconds - kept.readAt >= FRESH_MS) return null
    if (!isSame(kept.row.check, check, [...SETTINGS, 'nEvents', 'status'])) return null
    const runningSince = check.status === 'down' ? null : (startedAt(check)?.epochMilliseconds ?? null)
    return { ...kept, row: { ...kept.row, check, runningSince } }
  }

  /** @param checks a few checks of one project @param limit number of log entries that the project stores per check */
  async read(checks: readonly Check[], limit: number, window: NightWindow): Promise<readonly CheckFacts[]> {
    const since = Temporal.Instant.fromEpochMilliseconds(window.from)
    const logs = checks.map(({ id, nPings }) => ({ checkId: id, upTo: Math.max(0, nPings - limit) }))
    const entries = await this.#store.pings.readLogsSince(logs, since)
    const reaches = entries.map((log) => reachesTo(log, window))
    const short = checks.filter((_, index) => reaches[index] !== null)
    const days = short.length === 0 ? null : await this.#readDays(short, window)
    const facts: CheckFacts[] = []
    for (const [index, check] of checks.entries()) {
      const [log = [], reached = null] = [entries[index], reaches[index]]
      const flips = await this.#readFlips(check, reached === null ? log.at(-1) : null)
      facts.push({ check, entries: log, flips, days: days?.get(check.id) ?? [], reachesTo: reached })
    }
    return facts
  }

  make(facts: CheckFacts, window: NightWindow, now: Instant): ReadRow {
    const { check, reachesTo } = facts
    const [row, readAt] = [rowOf(facts, window, now), now.epochMilliseconds]
    const isSettled = row.slots.every(({ outcome }) => outcome !== 'open')
    const kept = { row, reachesTo, readAt, isSettled, isFinal: isFinal(row, facts, window) }
    this.#kept.set(keyOf(check, window), kept)
    return kept
  }

  /** Reads the days that the night covers, and the days before and after. The night may overlap those days in the check's time zone. */
  async #readDays(checks: readonly Check[], { from, until }: NightWindow) {
    const ids = checks.map(({ id }) => id)
    const days = await this.#store.checkDays.list(ids, dateOf(from - DAY))
    const last = dateOf(until + DAY)
    return new Map([...days].map(([id, all]) => [id, all.filter(({ day }) => day <= last)]))
  }

  /** @param oldest oldest log entry; flips are read back to this entry; null to read all stored flips; undefined to read none */
  async #readFlips(check: Check, oldest: RunEntry | null | undefined): Promise<readonly Flip[]> {
    // The first flip was caused by the first ping, which is in the log.
    if (check.nEvents <= 1 || oldest === undefined) return []
    return (await this.#store.flips.list(check.id, oldest === null ? {} : { from: oldest.receivedAt }, null)).items
  }
}

function rowOf({ check, entries, flips, days }: CheckFacts, window: NightWindow, now: Instant): NightRow {
  const durations = certainRuns(entries.toReversed(), check.graceSeconds)
  const pings = entries.map((entry) => ({ ...entry, duration: durations.get(entry.n) ?? null }))
  const usual = usualOf(check)
  const { kind, timeoutSeconds, schedule, tz, graceSeconds, createdAt } = check
  const timing = { kind, timeoutSeconds, schedule, tz, graceSeconds, since: createdAt.epochMilliseconds }
  const logged = plotRuns({ check, pings, flips, usual }, [timing], now)
  const log = {
    runs: days.length === 0 ? logged : countedRuns(timing, days, logged),
    sender: entries.find(isEnd)?.remoteAddr ?? null,
    usual,
    pauses: pausesOf(flips, now),
    isCounted: days.length > 0,
  }
  return nightRow(check, log, window, now.epochMilliseconds)
}

function reachesTo(entries: readonly RunEntry[], { from }: NightWindow): number | null {
  const oldest = entries.at(-1)
  if (oldest === undefined || oldest.n === 1) return null
  const at = oldest.receivedAt.epochMilliseconds
  return isEnd(oldest) && at < from ? null : at
}

function isEnd({ kind }: Pick<RunEntry, 'kind'>): boolean {
  return kind === 'success' || kind === 'fail'
}

/** Returns the date in UTC, such as `2026-05-12`. */
function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function keyOf({ id }: Check, { from, until }: NightWindow): string {
  return `${id} ${from} ${until}`
}

/** The check fields that a row depends on, apart from the time. */
const SETTINGS = ['name', 'tags', 'kind', 'timeoutSeconds', 'graceSeconds', 'schedule', 'tz'] as const
const STATE = ['nPings', 'nEvents', 'status'] as const

function isSame(one: Check, other: Check, members: readonly (typeof SETTINGS | typeof STATE)[number][]): boolean {
  return members.every((member) => one[member] === other[member])
}

/**
 * Returns true if only late pings can still change a row, because the check has run since the night. Applies to checks that run
 * continuously.
 */
function isFinal({ comb }: NightRow, { entries }: CheckFacts, { until }: NightWindow): boolean {
  return comb !== null && entries.some((entry) => isEnd(entry) && entry.receivedAt.epochMilliseconds >= until)
}
