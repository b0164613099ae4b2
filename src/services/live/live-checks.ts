/** The checks of a watched project, with the states that pages show. Commits update them, so that the checks need not be reread. */

import type { Advice } from '../../domain/advice/advice.ts'
import type { Check, WatchedCheck } from '../../domain/check/check.ts'
import {
  type Fingerprint,
  fingerprintAfter,
  fingerprintOf,
  minus,
  NO_CHECKS,
  plus,
} from '../../domain/check/fingerprint.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { nextShownChange, type ShownState, showCheck } from '../../domain/check/shown-check.ts'
import { nextSilentChange } from '../../domain/check/slots.ts'
import { watchedSince } from '../../domain/check/status.ts'
import { type StandingCounts, StandingTally } from '../../domain/list/check-list.ts'
import { type Instant, isAtOrAfter } from '../../lib/time.ts'
import type { LiveCheck } from '../common/ports/live-update.ts'

interface Entry {
  found: CheckWithChannels
  seen: Fingerprint
  state: ShownState
  isSlow: boolean
  advice: Advice | null
  /** time until which only a commit can change the state, in milliseconds since the UNIX epoch */
  next: number
  /** time at which another run is due or missing, in milliseconds since the UNIX epoch */
  slot: number
}

/** @param before the previous state; null if the check is new */
type OnChange = (checkId: string, before: ShownState | null, after: ShownState) => void

export class LiveChecks {
  readonly #entries = new Map<string, Entry>()
  readonly #counts = new StandingTally()
  readonly #onChange: OnChange
  /** lower bound for `next` across all entries */
  #next = Number.POSITIVE_INFINITY
  #seen = NO_CHECKS

  constructor(onChange: OnChange) {
    this.#onChange = onChange
  }

  /** The earliest time at which a state can change without a commit, in milliseconds since the UNIX epoch. */
  get next(): number {
    return this.#next
  }

  /** The fingerprint for a reader that has received all updates. */
  get seen(): Fingerprint {
    return this.#seen
  }

  get counts(): StandingCounts {
    return this.#counts.copy()
  }

  get(checkId: string): Entry | undefined {
    return this.#entries.get(checkId)
  }

  entries(): IterableIterator<[string, Entry]> {
    return this.#entries.entries()
  }

  /** Returns all checks in their current state. */
  all(): Check[] {
    return Array.from(this.#entries.values(), ({ found }) => found.check)
  }

  /** Returns the checks with these ids in their current state. Skips unknown ids. */
  pick(checkIds: Iterable<string>): LiveCheck[] {
    return Array.from(checkIds, (id) => this.#entries.get(id)).flatMap((entry) =>
      entry ? [{ ...entry.found, state: entry.state, was: entry.state }] : [],
    )
  }

  /** Returns the ids of checks that have become late, slow or down since the given time without a commit. */
  turnedSince(since: Instant): string[] {
    const isTurned = ({ found, state, isSlow }: Entry) =>
      (state === 'late' || state === 'down' || isSlow) && !isShownAs(found.check, since, state, isSlow)
    return [...this.#entries].filter(([, entry]) => isTurned(entry)).map(([id]) => id)
  }

  /** Returns the ids of checks that were pinged since the given time, and of all checks that were spared after a server outage. */
  activeSince(since: Instant): string[] {
    return [...this.#entries]
      .filter(([, { found }]) => {
        const { lastPingAt, lastStartAt, sparedUntil } = found.check
        return sparedUntil !== null || [lastPingAt, lastStartAt].some((at) => at !== null && isAtOrAfter(at, since))
      })
      .map(([id]) => id)
  }

  /** Stores a check that was just read, along with the advice to show for it. */
  put(found: CheckWithChannels, advice: Advice | null, at: Instant): void {
    const { id } = found.check
    const known = this.#entries.get(id)
    const fresh = {
      found,
      seen: NO_CHECKS,
      state: 'new',
      isSlow: false,
      advice: null,
      next: Number.POSITIVE_INFINITY,
      slot: Number.POSITIVE_INFINITY,
    } as const
    const entry: Entry = known ?? { ...fresh }
    entry.found = found
    this.#setFingerprint(entry, fingerprintOf(found))
    this.#entries.set(id, entry)
    if (known) this.#counts.count(entry, -1)
    entry.advice = advice
    this.#counts.count(entry)
    this.#judge(entry, known ? known.state : null, at)
  }

  /** Applies the values that a commit wrote to a check. */
  write(checkId: string, written: WatchedCheck, at: Instant): void {
    const entry = this.#entries.get(checkId)
    if (!entry) return
    const old = entry.found
    const { check: before } = old
    entry.found = { ...old, check: { ...before, ...written } }
    this.#setFingerprint(entry, fingerprintAfter(entry.seen, old, entry.found))
    // A ping to a check that is up only postpones the expected time. Most writes are such pings, so handling them must be cheap.
    const isPlain =
      entry.state === 'up' &&
      written.status === 'up' &&
      written.lastStartAt === null &&
      written.sparedUntil === before.sparedUntil &&
      at.epochMilliseconds < entry.next
    if (isPlain) this.#onChange(checkId, 'up', 'up')
    else this.#judge(entry, entry.state, at)
  }

  /** @returns the public id of the removed check; null if there was no such check */
  remove(checkId: string): string | null {
    const entry = this.#entries.get(checkId)
    if (!entry) return null
    this.#entries.delete(checkId)
    this.#setFingerprint(entry, NO_CHECKS)
    this.#counts.count(entry, -1)
    return entry.found.check.publicId
  }

  /** Applies state changes that happen because time has passed. */
  passTime(at: Instant): void {
    const now = at.epochMilliseconds
    let next = Number.POSITIVE_INFINITY
    for (const [checkId, entry] of this.#entries) {
      if (entry.next <= now) this.#rejudge(checkId, entry, at)
      next = Math.min(next, entry.next)
    }
    this.#next = next
  }

  #setFingerprint(entry: Entry, seen: Fingerprint): void {
    this.#seen = plus(minus(this.#seen, entry.seen), seen)
    entry.seen = seen
  }

  #judge(entry: Entry, before: ShownState | null, at: Instant): void {
    this.#stand(entry, at)
    this.#next = Math.min(this.#next, entry.next)
    this.#onChange(entry.found.check.id, before, entry.state)
  }

  /** Re-evaluates a check's state. Reports the check only if its state has changed, or if another run is due or missing. */
  #rejudge(checkId: string, entry: Entry, at: Instant): void {
    const { state, isSlow, slot } = entry
    this.#stand(entry, at)
    const isSame = entry.state === state && entry.isSlow === isSlow
    if (!isSame || slot <= at.epochMilliseconds) this.#onChange(checkId, state, entry.state)
  }

  #stand(entry: Entry, at: Instant): void {
    const { found } = entry
    const { check } = found
    const { state, expected, isSlow } = showCheck(check, at)
    this.#counts.count(entry, -1)
    Object.assign(entry, { state, isSlow })
    this.#counts.count(entry)
    const next = nextShownChange(check, at, expected)
    entry.slot = nextSlotOf(entry, at)
    entry.next = Math.min(next?.epochMilliseconds ?? Number.POSITIVE_INFINITY, entry.slot)
  }
}

/**
 * Returns the time at which another run of a check without pings is due or missing. Schedules need not be evaluated for checks that are
 * up, which are the majority.
 */
function nextSlotOf({ found: { check }, state }: Entry, at: Instant): number {
  const isSilent = state === 'late' || state === 'down' || state === 'started'
  const since = watchedSince(check)
  if (!isSilent || since === null) return Number.POSITIVE_INFINITY
  return nextSilentChange(check, since, at)?.epochMilliseconds ?? Number.POSITIVE_INFINITY
}

function isShownAs(check: Check, at: Instant, state: ShownState, isSlow: boolean): boolean {
  const shown = showCheck(check, at)
  return shown.state === state && shown.isSlow === isSlow
}
