/** Reads the log of a check on which settings are tried, without bodies. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import { type Away, ENTRIES_READ } from '../../domain/advice/facts.ts'
import type { WokenFacts } from '../../domain/advice/woken.ts'
import type { Check } from '../../domain/check/check.ts'
import type { PastPause } from '../../domain/log/past-runs.ts'
import type { ReplayEvent } from '../../domain/preview/replay.ts'
import { type Instant, isBefore, Temporal } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'

/** Pings that are read: thirty runs with starts and many log entries between. */
const PINGS_READ = 200

export interface Past {
  /** oldest first: the newest pings that the project keeps, and pauses and resumes by people between them */
  readonly events: readonly ReplayEvent[]
  /** facts for advice, from these events and the last outage of the server */
  readonly facts: WokenFacts
}

export async function readPast({ store }: Pick<Deps, 'store'>, actor: Actor, check: Check): Promise<Past> {
  requireRight(actor, 'read', check)
  const limit = Math.min(PINGS_READ, actor.project.pingLogLimit)
  // A single page: so few pings have no more flips between them, unless a person pauses and resumes a thousand times.
  const [pings, { items: flips }, outage] = await Promise.all([
    store.pings.list(check.id, limit),
    store.flips.list(check.id, {}, null),
    store.server.findOutage(),
  ])
  const received = pings.map(({ kind, rid, n, receivedAt: at }) => ({ kind, rid, n, at })).toReversed()
  const oldest = received[0]?.at ?? null
  const byPeople = flips.flatMap(({ newStatus, createdAt: at }): PastPause[] => {
    if (oldest === null || isBefore(at, oldest)) return []
    if (newStatus === 'paused') return [{ kind: 'pause', at }]
    return newStatus === 'new' ? [{ kind: 'resume', at }] : []
  })
  // The sort is stable, so at the same instant the flip is first: a start that ends a pause makes one, and both mean the same.
  const events: readonly ReplayEvent[] = [...byPeople.toReversed(), ...received].sort(inOrder)
  const log = received.slice(-ENTRIES_READ).map(({ kind, rid, at }) => ({ kind, runId: rid, at: at.epochMilliseconds }))
  const pauses = byPeople.flatMap(({ kind, at }) => (kind === 'pause' ? [away('pause', at, at)] : []))
  const outages = outage === null ? [] : [away('outage', outage.from, outage.until)]
  return { events, facts: { check, log, away: [...pauses, ...outages] } }
}

function inOrder(a: ReplayEvent, b: ReplayEvent): number {
  return Temporal.Instant.compare(a.at, b.at)
}

function away(why: Away['why'], from: Instant, until: Instant): Away {
  return { why, from: from.epochMilliseconds, until: until.epochMilliseconds }
}
