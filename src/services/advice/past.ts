/** Reads a check's log without ping bodies, so that settings can be tried on it. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import { type Away, ENTRIES_READ } from '../../domain/advice/facts.ts'
import type { WokenFacts } from '../../domain/advice/woken.ts'
import type { Check } from '../../domain/check/check.ts'
import type { PastPause } from '../../domain/log/past-runs.ts'
import type { ReplayEvent } from '../../domain/preview/replay.ts'
import { type Instant, isBefore, Temporal } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'

/** Number of pings to read. This is enough for thirty runs that each send a start and many log entries. */
const PINGS_READ = 200

export interface Past {
  /** the newest pings that the project stores, and the pauses and resumes between them, oldest first */
  readonly events: readonly ReplayEvent[]
  /** data for advice, derived from these events and the server's last outage */
  readonly facts: WokenFacts
}

export async function readPast({ store }: Pick<Deps, 'store'>, actor: Actor, check: Check): Promise<Past> {
  requireRight(actor, 'read', check)
  const limit = Math.min(PINGS_READ, actor.project.pingLogLimit)
  // One page is enough, unless a member pauses and resumes the check a thousand times between so few pings.
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
  // The sort is stable, so a flip precedes a ping at the same instant. If a start ping ends a pause, the order of the ping and its flip
  // does not matter.
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
