/** Reads what became of each check in a night, and keeps it as long as nothing has come and nothing has become due. */
import { LRUCache } from 'lru-cache'
import type { Check } from '../../domain/check/check.ts'
import { missingRuns } from '../../domain/check/punctuality.ts'
import { usualOf } from '../../domain/check/usual-duration.ts'
import { certainRuns } from '../../domain/log/runs.ts'
import { type NightRow, nightRow } from '../../domain/night/row.ts'
import type { NightWindow } from '../../domain/night/window.ts'
import { plotRuns } from '../../domain/rhythm-plot/plot-runs.ts'
import { atMost } from '../../lib/caches/at-most.ts'
import type { Instant } from '../../lib/time.ts'
import type { LogLine } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'

/** A row, and how far the log reaches that it was made from. */
export interface ReadRow {
  readonly row: NightRow
  /** milliseconds since 1970: the oldest entry of a log that does not reach back to the night; null when it does, and without a log */
  readonly reachesTo: number | null
}

interface Kept extends ReadRow {
  readonly stamp: string
  readonly readAt: number
}

/** Some kilobytes each. */
const KEPT = 5_000
const FRESH_MS = 60_000
/** Entries that a nightly job needs; each further read is larger. */
const FEW_ENTRIES = 16
/** Entries that a job which runs all the time needs: it has two for each run. */
const MANY_ENTRIES = 200
const GROWTH = 4
const FREQUENT_SECONDS = 3 * 3_600
const NO_BODIES = 0

export class NightRows {
  readonly #store: Deps['store']
  readonly #kept = new LRUCache<string, Kept>(atMost(KEPT))

  constructor({ store }: Pick<Deps, 'store'>) {
    this.#store = store
  }

  /** @param limit entries that the project keeps of a log */
  async get(check: Check, limit: number, window: NightWindow, now: Instant): Promise<ReadRow> {
    const [key, stamp, at] = [keyOf(check, window), stampOf(check, now), now.epochMilliseconds]
    const kept = this.#kept.get(key)
    const isSettled = kept?.row.slots.every(({ outcome }) => outcome !== 'open') ?? false
    if (kept?.stamp === stamp && (isSettled || at - kept.readAt < FRESH_MS)) return kept
    const read = { ...(await this.#read(check, limit, window, now)), stamp, readAt: at }
    this.#kept.set(key, read)
    return read
  }

  async #read(check: Check, limit: number, window: NightWindow, now: Instant): Promise<ReadRow> {
    const { entries, reachesTo } = await this.#readLog(check, limit, window)
    const durations = certainRuns(entries.toReversed(), check.graceSeconds)
    const pings = entries.map((entry) => ({ ...entry, duration: durations.get(entry.n) ?? null }))
    const usual = usualOf(check)
    const log = { check, pings, flips: await this.#readFlips(check, entries), usual }
    const { kind, timeoutSeconds, schedule, tz, graceSeconds, createdAt } = check
    const timing = { kind, timeoutSeconds, schedule, tz, graceSeconds, since: createdAt.epochMilliseconds }
    const sender = entries.find(isEnd)?.remoteAddr ?? null
    const runs = plotRuns(log, [timing], now)
    return { row: nightRow(check, { runs, sender, usual }, window, now.epochMilliseconds), reachesTo }
  }

  /** Newest first, back to the last run before the night. */
  async #readLog(check: Check, limit: number, { from }: NightWindow) {
    const oldestN = Math.max(0, check.nPings - limit)
    const isFrequent = check.kind === 'simple' && check.timeoutSeconds < FREQUENT_SECONDS
    let atOnce = isFrequent ? MANY_ENTRIES : FEW_ENTRIES
    const entries: LogLine[] = []
    for (let before: number | null = null; check.nPings > 0; before = entries.at(-1)?.n ?? null) {
      const read = await this.#store.pings.readLog(check.id, before, atOnce, NO_BODIES)
      entries.push(...read.filter(({ n }) => n > oldestN))
      const reached = entries.findIndex((entry) => isEnd(entry) && entry.receivedAt.epochMilliseconds < from)
      if (reached >= 0) return { entries: entries.slice(0, reached + 1), reachesTo: null }
      if (read.length < atOnce || (entries.at(-1)?.n ?? 0) <= oldestN + 1) break
      atOnce = Math.min(atOnce * GROWTH, MANY_ENTRIES)
    }
    const oldest = entries.at(-1)
    const isWhole = oldest === undefined || oldest.n === 1
    return { entries, reachesTo: isWhole ? null : oldest.receivedAt.epochMilliseconds }
  }

  async #readFlips(check: Check, entries: readonly LogLine[]) {
    const oldest = entries.at(-1)
    // The first flip is that of the first ping, which is in the log.
    if (check.nFlips <= 1 || oldest === undefined) return []
    return (await this.#store.flips.list(check.id, { from: oldest.receivedAt }, null)).items
  }
}

function isEnd({ kind }: Pick<LogLine, 'kind'>): boolean {
  return kind === 'success' || kind === 'fail'
}

function keyOf({ id }: Check, { from, until }: NightWindow): string {
  return `${id} ${from} ${until}`
}

/** Changes with all that a row is made from but the time of day. */
function stampOf(check: Check, now: Instant): string {
  const { nPings, nFlips, status, name, tags, kind, timeoutSeconds, graceSeconds, schedule, tz } = check
  const settings = [name, tags, kind, timeoutSeconds, graceSeconds, schedule, tz]
  return JSON.stringify([nPings, nFlips, status, missingRuns(check, now), ...settings])
}
