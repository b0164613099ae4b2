/** The history of a check: its settings, the pings of its job, and its surroundings. The doctor examines it at any time. */
import type {
  AdvisedChannel,
  AdvisedCheck,
  AdvisedPing,
  Away,
  Facts,
  OtherCheck,
} from '../../../src/domain/advice/facts.ts'
import { ENTRIES_READ } from '../../../src/domain/advice/facts.ts'

export interface History {
  /** the check at the end of the history */
  readonly check: AdvisedCheck
  /** settings before the last change; null if they never changed */
  readonly before: AdvisedCheck | null
  /** everything that the job and others sent, oldest first */
  readonly pings: readonly AdvisedPing[]
  readonly away: readonly Away[]
  readonly siblingZones: readonly string[]
  readonly accountZone: string | null
  /** channels, `ready` before their state began */
  readonly channels: readonly AdvisedChannel[]
  /** pings that were refused for their exit status */
  readonly refused: readonly { readonly at: number; readonly tail: string }[]
  readonly others: readonly OtherCheck[]
  readonly until: number
}

/** A history with ordinary surroundings: one working integration, nobody else. */
export function aHistory(
  given: Pick<History, 'check' | 'pings' | 'until'> & Partial<Omit<History, 'check' | 'pings' | 'until'>>,
): History {
  const { tz } = given.check
  return {
    before: null,
    away: [],
    siblingZones: [tz],
    accountZone: tz,
    channels: [{ name: 'Email', state: 'ready', since: null, givenUp: 0 }],
    refused: [],
    others: [],
    ...given,
  }
}

/** Returns the facts that the doctor would have read at a time. */
export function factsAt(history: History, now: number): Facts {
  const log = newestUntil(history.pings, now)
  return {
    check: checkAt(history, now),
    log,
    away: history.away.filter(({ from }) => from <= now).map((away) => ({ ...away, until: Math.min(away.until, now) })),
    held: [],
    siblingZones: history.siblingZones,
    accountZone: history.accountZone,
    channels: history.channels.map((channel) =>
      channel.since === null || channel.since <= now
        ? channel
        : { ...channel, state: 'ready', since: null, givenUp: 0 },
    ),
    refused: refusedAt(history, now),
    others: history.others.map(({ name, log }) => ({ name, log: newestUntil(log, now) })),
  }
}

function checkAt({ check, before }: History, now: number): AdvisedCheck {
  const settings = before !== null && now < check.changedAt ? before : check
  const { pausedAt } = settings
  const isPaused = pausedAt !== null && pausedAt <= now
  return { ...settings, isPaused, pausedAt: isPaused ? pausedAt : null }
}

function refusedAt({ pings, refused }: History, now: number): Facts['refused'] {
  const counted = pings.findLast(({ at, kind }) => at <= now && kind !== 'ign' && kind !== 'log')
  const since = refused.filter(({ at }) => at <= now && at > (counted?.at ?? 0))
  const newest = since.at(-1)
  return newest === undefined ? null : { count: since.length, tail: newest.tail, at: newest.at }
}

function newestUntil(pings: readonly AdvisedPing[], now: number): readonly AdvisedPing[] {
  const end = firstAfter(pings, now)
  return pings.slice(Math.max(0, end - ENTRIES_READ), end)
}

/** Returns the index of the first ping after a time; the number of pings if there is none. */
function firstAfter(pings: readonly AdvisedPing[], time: number): number {
  let low = 0
  let high = pings.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((pings[middle]?.at ?? Number.POSITIVE_INFINITY) <= time) low = middle + 1
    else high = middle
  }
  return low
}
