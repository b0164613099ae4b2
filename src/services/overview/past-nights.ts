/** Counts problems during recent nights. These counts change slowly, so each check's data is cached for a few minutes. */
import { LRUCache } from 'lru-cache'
import type { Check } from '../../domain/check/check.ts'
import { downTimes, lastNights, type NightTrouble, type PastNight, troubleOf } from '../../domain/night/past-nights.ts'
import { periodOf } from '../../domain/night/row.ts'
import type { NightWindow } from '../../domain/night/window.ts'
import { DAY, MINUTE } from '../../domain/units.ts'
import { atMost } from '../../lib/caches/at-most.ts'
import { type Instant, Temporal } from '../../lib/time.ts'
import { inAsyncSteps } from '../../lib/work/event-loop-yield.ts'
import type { Deps } from '../common/deps.ts'
import { type ReadNight, STEP_MS } from './night.ts'

interface Kept {
  readonly nEvents: number
  readonly readAt: number
  /** troubles in each night; null if there were none in any night */
  readonly troubles: readonly NightTrouble[] | null
}

const KEPT = 20_000
/**
 * How long cached data is used, in milliseconds. It must be reread after that, because days are counted only after a few hours, and
 * because a run can turn out to be missing without a flip.
 */
const FRESH_MS = 10 * MINUTE
/** Maximum number of flips to read. Only flapping checks have more. */
const FLIPS_READ = 200

export class PastNights {
  readonly #store: Deps['store']
  readonly #kept = new LRUCache<string, Kept>(atMost(KEPT))

  constructor({ store }: Pick<Deps, 'store'>) {
    this.#store = store
  }

  /**
   * Returns the last nights, oldest first. For the night in `read`, uses its rows.
   * @param read a night that was already read, with all checks that the reader is allowed to see
   * @param tz IANA name of the reader's zone
   */
  async get(
    { eventLoop }: Pick<Deps, 'eventLoop'>,
    read: Pick<ReadNight, 'night'>,
    tz: string,
    now: Instant,
  ): Promise<readonly PastNight[]> {
    const windows = lastNights(now.epochMilliseconds, tz)
    const nights = await inAsyncSteps(eventLoop, this.#count(checksOf(read), windows, now), STEP_MS)
    const { window, counts } = read.night
    return nights.map((night) => {
      const isRead = night.window.from === window.from && night.window.until === window.until
      return isRead ? { ...night, missing: counts.missing, failed: counts.failed } : night
    })
  }

  async *#count(
    checks: readonly Check[],
    windows: readonly NightWindow[],
    now: Instant,
  ): AsyncGenerator<void, readonly PastNight[]> {
    const numbers = windows.map(() => ({ missing: 0, failed: 0 }))
    let first = Number.POSITIVE_INFINITY
    for (const check of checks) {
      first = Math.min(first, check.createdAt.epochMilliseconds)
      for (const [index, trouble] of ((await this.#troubles(check, windows, now)) ?? []).entries()) {
        const night = numbers[index]
        if (night && trouble) night[trouble] += 1
      }
      yield
    }
    return windows.map((window, index) => ({
      window,
      missing: numbers[index]?.missing ?? 0,
      failed: numbers[index]?.failed ?? 0,
      isKnown: first < window.until,
    }))
  }

  async #troubles(check: Check, windows: readonly NightWindow[], now: Instant): Promise<Kept['troubles']> {
    // The first flip changes the status to up, unless the first ping was a failure.
    const wasDown = check.nEvents > 1 || check.status === 'down'
    if (!wasDown || periodOf(check, []) !== null) return null
    const [from, at] = [windows[0]?.from ?? 0, now.epochMilliseconds]
    const key = `${check.id} ${from}`
    const kept = this.#kept.get(key)
    if (kept?.nEvents === check.nEvents && at - kept.readAt < FRESH_MS) return kept.troubles
    const troubles = await this.#read(check, windows, at)
    const isFine = troubles.every((trouble) => trouble === null)
    this.#kept.set(key, { nEvents: check.nEvents, readAt: at, troubles: isFine ? null : troubles })
    return isFine ? null : troubles
  }

  async #read(check: Check, windows: readonly NightWindow[], now: number): Promise<readonly NightTrouble[]> {
    const from = windows[0]?.from ?? now
    const { items } = await this.#store.flips.list(check.id, {}, null, FLIPS_READ)
    const downs = downTimes(items).filter(({ until }) => until > from)
    const days = downs.length > 0 ? await this.#readDays(check, from) : []
    return windows.map((window) => troubleOf(check, downs, days, window, now))
  }

  async #readDays({ id }: Check, from: number) {
    const since = Temporal.Instant.fromEpochMilliseconds(from - DAY)
      .toString()
      .slice(0, 10)
    return (await this.#store.checkDays.list([id], since)).get(id) ?? []
  }
}

/** Returns the checks in a night. Each check has one row. */
function checksOf({ night }: Pick<ReadNight, 'night'>): readonly Check[] {
  return night.groups.flatMap(({ open, folded, frequent, frequentTrouble, notDue }) =>
    [open, folded, frequent, frequentTrouble, notDue].flatMap((rows) => rows.map(({ check }) => check)),
  )
}
